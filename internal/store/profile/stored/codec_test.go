package stored_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	profiles "quipu/internal/store/profile/stored"
)

// library returns the encoding that the stored form has to be, by the tags of tagged.
func library(tb testing.TB) (cbor.EncMode, cbor.DecMode) {
	tb.Helper()
	enc, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		tb.Fatal(err)
	}
	dec, err := cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden,
		IntDec: cbor.IntDecConvertSignedOrFail, DefaultMapType: reflect.TypeFor[map[string]any](), UTF8: cbor.UTF8DecodeInvalid,
	}.DecMode()
	if err != nil {
		tb.Fatal(err)
	}
	return enc, dec
}

// tagged is model.Profile with a tagged field for every dimension, under the key that its row names.
var tagged = func() reflect.Type {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[model.Profile]()) {
		if f.Name != "Dims" {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		}
	}
	for i := range model.Dimensions {
		tag := fmt.Sprintf(`cbor:"%d,keyasint,omitempty"`, model.Dimensions[i].Stored)
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("Dim", i), Type: reflect.TypeFor[string](), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}()

// marshal writes a profile as the library does.
func marshal(enc cbor.EncMode, p *model.Profile) ([]byte, error) {
	from, to := reflect.ValueOf(p).Elem(), reflect.New(tagged).Elem()
	for i := range to.NumField() {
		if name := tagged.Field(i).Name; !strings.HasPrefix(name, "Dim") {
			to.Field(i).Set(from.FieldByName(name))
		}
	}
	for i, v := range p.Dims {
		to.FieldByName(fmt.Sprint("Dim", i)).SetString(v)
	}
	return enc.Marshal(to.Interface())
}

// unmarshal reads a profile as the library does.
func unmarshal(dec cbor.DecMode, b []byte, p *model.Profile) error {
	from, to := reflect.New(tagged), reflect.ValueOf(p).Elem()
	if err := dec.Unmarshal(b, from.Interface()); err != nil {
		return err
	}
	for i := range from.Elem().NumField() {
		if name := tagged.Field(i).Name; !strings.HasPrefix(name, "Dim") {
			to.FieldByName(name).Set(from.Elem().Field(i))
		}
	}
	for i := range p.Dims {
		p.Dims[i] = from.Elem().FieldByName(fmt.Sprint("Dim", i)).String()
	}
	return nil
}

// randomProfile sets any field to any value, each with a probability.
func randomProfile(r *rand.Rand, dense float64) *model.Profile {
	p := &model.Profile{}
	fill(r, dense, reflect.ValueOf(p).Elem())
	return p
}

func fill(r *rand.Rand, dense float64, v reflect.Value) {
	if v.Kind() != reflect.Struct && r.Float64() > dense {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			fill(r, dense, f)
		}
	case reflect.String:
		v.SetString(randomText(r))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{1, -1, 23, 24, 255, 256, 65_536, 1 << 32, math.MaxInt64, math.MinInt64}[r.IntN(10)])
	case reflect.Uint32:
		v.SetUint(uint64(r.Uint32() >> r.IntN(32)))
	case reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float64:
		v.SetFloat(randomNumber(r))
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(256)))
	case reflect.Array:
		for i := range v.Len() {
			fill(r, 1, v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, 1, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(30), 30))
		for i := range v.Len() {
			fill(r, 1, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(30) {
			e := reflect.New(v.Type().Elem()).Elem()
			if e.Kind() == reflect.Interface {
				if value := randomValue(r, 3); value != nil {
					e.Set(reflect.ValueOf(value))
				}
			} else {
				fill(r, 1, e)
			}
			v.SetMapIndex(reflect.ValueOf(randomText(r)), e)
		}
	default:
		panic("a field of a kind that the test does not know: " + v.Kind().String())
	}
}

func randomText(r *rand.Rand) string {
	b := make([]byte, []int{0, 1, 5, 23, 24, 300}[r.IntN(6)])
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return string(b)
}

func randomNumber(r *rand.Rand) float64 {
	return []float64{
		0, math.Copysign(0, -1), 1, -17, 0.1, 1.5, 65_504, 65_505, 5.960464477539063e-8, 6e-8, 100_000, math.MaxFloat32,
		math.SmallestNonzeroFloat32, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN(), r.NormFloat64(),
		float64(r.Float32()), float64(r.Int64()),
	}[r.IntN(21)]
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case n < 2:
		return randomText(r)
	case n < 4:
		return randomNumber(r)
	case n == 4:
		return r.IntN(2) == 0
	case n == 5 && depth > 0:
		out := make([]any, r.IntN(4))
		for i := range out {
			out[i] = randomValue(r, depth-1)
		}
		return out
	case n == 6 && depth > 0:
		out := map[string]any{}
		for range r.IntN(4) {
			out[randomText(r)] = randomValue(r, depth-1)
		}
		return out
	}
	return []any{int64(r.Int32()), nil, int64(-3)}[r.IntN(3)]
}

// TestLikeLibrary compares with a library that goes by the tags of model.Profile: bytes that are written, what is read of them,
// and what becomes of damaged ones.
func TestLikeLibrary(t *testing.T) {
	t.Parallel()
	enc, dec := library(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	same := cmp.Options{cmpopts.EquateNaNs()}
	refused := 0
	for i := range 3000 {
		p := randomProfile(r, []float64{0, 0.1, 0.5, 0.95}[i%4])
		want, err := marshal(enc, p)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := profiles.Append([]byte("before"), p)
		if err != nil {
			t.Fatal(err)
		}
		got := stored[len("before")+1:]
		if !bytes.Equal(want, got) {
			t.Fatalf("written\n%x, want\n%x for %+v", got, want, p)
		}
		var read model.Profile
		if err := unmarshal(dec, want, &read); err != nil {
			t.Fatal(err)
		}
		again, err := profiles.Decode(stored[len("before"):])
		if err != nil {
			t.Fatalf("%v: %x", err, got)
		}
		if d := cmp.Diff(&read, again, same); d != "" {
			t.Fatalf("read (-library +ours):\n%s", d)
		}
		hit := bytes.Clone(stored[len("before"):])
		hit[1+r.IntN(len(hit)-1)] ^= 1 << r.IntN(8)
		ours, err := profiles.Decode(hit)
		if err != nil {
			refused++
			continue
		}
		var theirs model.Profile
		if err := unmarshal(dec, hit[1:], &theirs); err != nil {
			t.Fatalf("accepted what the library refuses, %v: %x", err, hit)
		}
		if d := cmp.Diff(&theirs, ours, same); d != "" {
			t.Fatalf("damaged profile (-library +ours):\n%s", d)
		}
	}
	t.Logf("%d of 3,000 damaged profiles were refused", refused)
}

// TestAppendRefuses names a value that no profile can hold.
func TestAppendRefuses(t *testing.T) {
	t.Parallel()
	b, err := profiles.Append([]byte("x"), &model.Profile{Custom: map[string]any{"a": []any{struct{}{}}}})
	if err == nil || string(b) != "x" {
		t.Errorf("got %q, %v", b, err)
	}
}

func BenchmarkCodec(b *testing.B) {
	p := fullProfile()
	stored, err := profiles.Append(nil, p)
	if err != nil {
		b.Fatal(err)
	}
	enc, dec := library(b)
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			if buf, err = profiles.Append(buf[:0], p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("append/library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := marshal(enc, p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := profiles.Decode(stored); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode/library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := dec.Unmarshal(stored[1:], new(model.Profile)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
