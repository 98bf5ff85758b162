package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"quipu/internal/store/s3"
)

// S3 says where an S3-compatible store is, and who we are to it.
type S3 = s3.Config

// s3Scheme begins the addresses of repositories in a store.
const s3Scheme = "s3://"

// InS3 reports whether a target is in an S3-compatible store.
func InS3(target string) bool { return strings.HasPrefix(target, s3Scheme) }

// ParseS3 splits s3://BUCKET/PREFIX. The prefix may be missing.
func ParseS3(target string) (bucket, prefix string, err error) {
	rest, ok := strings.CutPrefix(target, s3Scheme)
	bucket, prefix, _ = strings.Cut(rest, "/")
	prefix = strings.Trim(prefix, "/")
	if !ok || s3.CheckPlace(bucket, prefix) != nil {
		return "", "", fmt.Errorf("%q is not of the form s3://BUCKET/PREFIX", target)
	}
	return bucket, prefix, nil
}

// maxObject bounds an object that is read, bytes.
const maxObject = 1 << 30

// s3Place is a place in an S3-compatible store.
type s3Place struct{ bucket *s3.Bucket }

func newS3Place(target string, c S3) (*s3Place, error) {
	bucket, prefix, err := ParseS3(target)
	if err != nil {
		return nil, err
	}
	b, err := s3.Open(s3.Options{Config: c, Bucket: bucket, Prefix: prefix, Settings: "backup.s3"})
	if err != nil {
		return nil, err
	}
	return &s3Place{b}, nil
}

// String implements place.
func (p *s3Place) String() string { return p.bucket.String() }

// list implements place.
func (p *s3Place) list(ctx context.Context, prefix string) iter.Seq2[object, error] {
	return func(yield func(object, error) bool) {
		for o, err := range p.bucket.List(ctx, prefix) {
			if !yield(object{name: o.Name, size: o.Size, modified: o.Modified}, err) || err != nil {
				return
			}
		}
	}
}

// get implements place.
func (p *s3Place) get(ctx context.Context, name string) ([]byte, error) {
	b, err := p.bucket.Get(ctx, name, maxObject)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) && ctx.Err() == nil:
		return nil, fmt.Errorf("%w: object %s is cut off: %w", ErrDamaged, name, err)
	case errors.Is(err, s3.ErrTooLarge):
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, err
}

// put implements place.
func (p *s3Place) put(ctx context.Context, name string, content []byte) error {
	return p.bucket.Put(ctx, name, content)
}

// remove implements place.
func (p *s3Place) remove(ctx context.Context, name string) error {
	return p.bucket.Remove(ctx, name)
}
