// Package s3 is a client of S3-compatible stores, for what keeps objects there: backups and uploaded files. An object appears whole or not at all.
package s3

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"quipu/internal/tracing"
)

// Config says where an S3-compatible store is, and who we are to it.
type Config struct {
	Endpoint  string // http or https, host and port
	Region    string // "" = found out
	AccessKey string
	SecretKey string
	// CAFile holds the certificates, in PEM, by which the store is known; "" = those of the system.
	CAFile string
	// HostStyle names buckets in the host, as Amazon wants it, instead of in the path; Amazon's own endpoints get it anyhow.
	HostStyle bool
}

var bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// CheckPlace refuses what is no bucket's name, and prefixes that are no paths. A prefix has no / at its ends.
func CheckPlace(bucket, prefix string) error {
	if !bucketName.MatchString(bucket) {
		return fmt.Errorf("%q is not a bucket name", bucket)
	}
	if prefix != "" && path.Clean("/"+prefix) != "/"+prefix {
		return fmt.Errorf("%q is not a path", prefix)
	}
	return nil
}

// Check finds what is wrong with the settings, as key and text, without asking the store.
func (c Config) Check() (faults [][2]string) {
	bad := func(key, text string) { faults = append(faults, [2]string{key, text}) }
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.User != nil || u.RawQuery != "" {
		bad("endpoint", "is not of the form https://HOST or https://HOST:PORT")
	}
	if c.AccessKey == "" {
		bad("access_key", "is missing")
	}
	if c.SecretKey == "" {
		bad("secret_key", "is missing")
	}
	if _, err := c.roots(); err != nil {
		bad("ca_file", err.Error())
	}
	return faults
}

// roots returns the certificates of CAFile, nil for those of the system.
func (c Config) roots() (*x509.CertPool, error) {
	if c.CAFile == "" {
		return nil, nil // as crypto/tls has it
	}
	text, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", c.CAFile)
	}
	return pool, nil
}

// Options of Open.
type Options struct {
	Config
	// Bucket has to exist. Prefix begins the names of all objects; it has no / at its ends.
	Bucket, Prefix string
	// Settings begins the names of the settings that errors speak of, as backup.s3.
	Settings string
	// Stall is for how long a connection may be silent within a request; 0 = one minute.
	Stall time.Duration
	// Tries is how often a request is made that may succeed the next time; 0 = 4.
	Tries int
}

// inFlight is how many connections are kept for the next requests.
const inFlight = 8

// Bucket is a place in a store. It is safe for concurrent use. Its errors hold no credentials; those that say that there is no such object wrap fs.ErrNotExist.
type Bucket struct {
	o      Options
	client *minio.Client
}

// Open checks the options and returns a bucket, which is not asked yet.
func Open(o Options) (*Bucket, error) {
	if err := CheckPlace(o.Bucket, o.Prefix); err != nil {
		return nil, err
	}
	for _, fault := range o.Check() {
		return nil, fmt.Errorf("%s.%s: %s", o.Settings, fault[0], fault[1])
	}
	if o.Stall == 0 {
		o.Stall = time.Minute
	}
	if o.Tries == 0 {
		o.Tries = 4
	}
	roots, err := o.roots()
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           patientDialer(o.Stall),
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: o.Stall,
		MaxIdleConnsPerHost:   inFlight,
		IdleConnTimeout:       min(o.Stall, time.Minute),
		DisableCompression:    true, // objects are taken as they are
	}
	if roots != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	u, err := url.Parse(o.Endpoint)
	if err != nil {
		return nil, err
	}
	mo := &minio.Options{
		Creds: credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""), Secure: u.Scheme == "https", Region: o.Region, Transport: dated{tracing.Transport(transport)}, MaxRetries: o.Tries,
	}
	if o.HostStyle {
		mo.BucketLookup = minio.BucketLookupDNS
	}
	client, err := minio.New(u.Host, mo)
	if err != nil {
		return nil, fmt.Errorf("store at %s: %w", o.Endpoint, err)
	}
	return &Bucket{o: o, client: client}, nil
}

// String says where the place is, without credentials.
func (b *Bucket) String() string { return "s3://" + path.Join(b.o.Bucket, b.o.Prefix) }

func (b *Bucket) key(name string) string { return path.Join(b.o.Prefix, name) }

// Object is what a bucket holds under a name.
type Object struct {
	Name     string // without the prefix of the bucket
	Size     int64
	Modified time.Time // by the clock of the store
	// ETag names the content, among those that the object has had.
	ETag string
	// Meta is what the writer said of it, by keys such as "Sha256"; List does not fill it in.
	Meta map[string]string
}

// List walks the objects whose names begin with prefix and a slash; all of them where it is "".
func (b *Bucket) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		begin := b.key(prefix)
		if begin != "" {
			begin += "/"
		}
		for o := range b.client.ListObjects(ctx, b.o.Bucket, minio.ListObjectsOptions{Prefix: begin, Recursive: true}) {
			if o.Err != nil {
				yield(Object{}, b.fault(o.Err))
				return
			}
			name := strings.TrimPrefix(strings.TrimPrefix(o.Key, b.o.Prefix), "/")
			if !yield(Object{Name: name, Size: o.Size, Modified: o.LastModified, ETag: o.ETag}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Object{}, b.fault(err))
		}
	}
}

// ErrChanged says that an object has another content than the one that was asked for.
var ErrChanged = errors.New("the object has changed")

// ErrTooLarge says that an object is larger than it may be.
var ErrTooLarge = errors.New("the object is too large")

// Get returns the content of an object of at most so many bytes. An answer that ends too soon is io.ErrUnexpectedEOF.
func (b *Bucket) Get(ctx context.Context, name string, most int64) ([]byte, error) {
	o, err := b.client.GetObject(ctx, b.o.Bucket, b.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, b.fault(err)
	}
	content, err := io.ReadAll(io.LimitReader(o, most+1))
	if err == nil && int64(len(content)) > most {
		err = fmt.Errorf("%w: %s has more than %d bytes", ErrTooLarge, b.key(name), most)
	}
	if err = errors.Join(err, o.Close()); err != nil {
		return nil, b.fault(err)
	}
	return content, nil
}

// Copy writes the content of an object, which must still be that of an ETag, to w. Otherwise the error wraps ErrChanged.
func (b *Bucket) Copy(ctx context.Context, w io.Writer, name, etag string) (int64, error) {
	var opts minio.GetObjectOptions
	if err := opts.SetMatchETag(etag); err != nil {
		return 0, err
	}
	o, err := b.client.GetObject(ctx, b.o.Bucket, b.key(name), opts)
	if err != nil {
		return 0, b.fault(err)
	}
	n, err := io.Copy(w, o)
	return n, b.fault(errors.Join(err, o.Close()))
}

// Put stores an object, over one of the same name.
func (b *Bucket) Put(ctx context.Context, name string, content []byte) error {
	_, err := b.client.PutObject(ctx, b.o.Bucket, b.key(name), bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{
		ContentType: "application/octet-stream", DisableMultipart: true,
	})
	return b.fault(err)
}

// PutFile stores the content of a file, which it reads from its beginning, over an object of the same name; in several parts if it is large. What is in meta stays with it.
func (b *Bucket) PutFile(ctx context.Context, name string, f *os.File, size int64, meta map[string]string) (Object, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Object{}, err
	}
	info, err := b.client.PutObject(ctx, b.o.Bucket, b.key(name), f, size, minio.PutObjectOptions{
		ContentType: "application/octet-stream", UserMetadata: meta, NumThreads: 2,
	})
	if err != nil {
		return Object{}, b.fault(err)
	}
	return Object{Name: name, Size: info.Size, Modified: info.LastModified, ETag: info.ETag, Meta: meta}, nil
}

// Stat returns what is known of an object.
func (b *Bucket) Stat(ctx context.Context, name string) (Object, error) {
	o, err := b.client.StatObject(ctx, b.o.Bucket, b.key(name), minio.StatObjectOptions{})
	if err != nil {
		return Object{}, b.fault(err)
	}
	return Object{Name: name, Size: o.Size, Modified: o.LastModified, ETag: o.ETag, Meta: o.UserMetadata}, nil
}

// Remove removes an object; it is no error when there is none.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	err := b.fault(b.client.RemoveObject(ctx, b.o.Bucket, b.key(name), minio.RemoveObjectOptions{}))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveUploads removes the parts of objects with a prefix and a slash whose writers began before a moment and did not finish.
func (b *Bucket) RemoveUploads(ctx context.Context, prefix string, before time.Time) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	core := minio.Core{Client: b.client}
	for u := range b.client.ListIncompleteUploads(ctx, b.o.Bucket, b.key(prefix)+"/", true) {
		if u.Err != nil {
			return b.fault(u.Err)
		}
		if !u.Initiated.Before(before) {
			continue
		}
		if err := core.AbortMultipartUpload(ctx, b.o.Bucket, u.Key, u.UploadID); err != nil && minio.ToErrorResponse(err).Code != "NoSuchUpload" {
			return b.fault(err)
		}
	}
	return b.fault(ctx.Err())
}

// Clock is the time of the store, in seconds.
func (b *Bucket) Clock(ctx context.Context) (time.Time, error) {
	var date string
	there, err := b.client.BucketExists(context.WithValue(ctx, dateKey{}, &date), b.o.Bucket)
	if err != nil {
		return time.Time{}, b.fault(err)
	}
	if !there {
		return time.Time{}, b.fault(minio.ErrorResponse{Code: "NoSuchBucket"})
	}
	at, err := http.ParseTime(date)
	if err != nil {
		return time.Time{}, fmt.Errorf("the store at %s does not report its time: %w", b.o.Endpoint, err)
	}
	return at, nil
}

// Probe finds out whether objects can be listed, written, read and deleted, with one of the name that is given.
func (b *Bucket) Probe(ctx context.Context, name string) error {
	for _, err := range b.List(ctx, path.Dir(name)) {
		if err != nil {
			return fmt.Errorf("list objects: %w", err)
		}
		break // one is enough
	}
	want := []byte("written to find out whether it can be\n")
	if err := b.Put(ctx, name, want); err != nil {
		return fmt.Errorf("write an object: %w", err)
	}
	got, err := b.Get(ctx, name, int64(len(want)))
	if err == nil && !bytes.Equal(got, want) {
		err = errors.New("its content differs from what was written")
	}
	if err != nil {
		return fmt.Errorf("read an object: %w", err)
	}
	if err := b.Remove(ctx, name); err != nil {
		return fmt.Errorf("delete an object: %w", err)
	}
	_, err = b.Clock(ctx)
	return err
}

// fault says in plain words what a store answered. The text holds no credentials.
func (b *Bucket) fault(err error) error {
	if err == nil || errors.Is(err, ErrTooLarge) {
		return err
	}
	at := b.o.Endpoint
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		var netErr net.Error
		var opErr *net.OpError
		if errors.As(err, &opErr) || errors.As(err, &netErr) {
			return fmt.Errorf("the store at %s cannot be reached: %w", at, err)
		}
		return fmt.Errorf("store at %s: %w", at, err)
	}
	switch answer.Code {
	case "NoSuchKey":
		return fmt.Errorf("%w: object %s", fs.ErrNotExist, answer.Key)
	case "PreconditionFailed":
		return fmt.Errorf("%w: object %s", ErrChanged, answer.Key)
	case "NoSuchBucket":
		return fmt.Errorf("the store at %s has no bucket %s; create it first", at, b.o.Bucket)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "XAdminUserNotFound":
		return fmt.Errorf("the store at %s does not accept the credentials (%s): check %s.access_key and %s.secret_key", at, answer.Code, b.o.Settings, b.o.Settings)
	case "AccessDenied":
		return fmt.Errorf("the store at %s denies access to bucket %s: the credentials need the rights to list, read, write and delete objects in it", at, b.o.Bucket)
	case "RequestTimeTooSkewed":
		return fmt.Errorf("the store at %s rejects requests because the clock of this machine is wrong", at)
	}
	if answer.StatusCode == http.StatusUnauthorized {
		return fmt.Errorf("the store at %s does not accept the credentials (%s)", at, answer.Code)
	}
	return fmt.Errorf("the store at %s answers %s: %s", at, answer.Code, answer.Message)
}
