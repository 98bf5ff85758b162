package backup

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

// S3 says where an S3-compatible store is, and who we are to it.
type S3 struct {
	Endpoint  string // http or https, host and port
	Region    string // "" = found out
	AccessKey string
	SecretKey string
	// CAFile holds the certificates, in PEM, by which the store is known; "" = those of the system.
	CAFile string
	// HostStyle names buckets in the host, as Amazon wants it, instead of in the path; Amazon's own endpoints get it anyhow.
	HostStyle bool
}

// s3Scheme begins the addresses of repositories in a store.
const s3Scheme = "s3://"

// InS3 reports whether a target is in an S3-compatible store.
func InS3(target string) bool { return strings.HasPrefix(target, s3Scheme) }

var bucketName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// ParseS3 splits s3://BUCKET/PREFIX. The prefix may be missing.
func ParseS3(target string) (bucket, prefix string, err error) {
	rest, ok := strings.CutPrefix(target, s3Scheme)
	bucket, prefix, _ = strings.Cut(rest, "/")
	prefix = strings.Trim(prefix, "/")
	if !ok || !bucketName.MatchString(bucket) || prefix != "" && path.Clean("/"+prefix) != "/"+prefix {
		return "", "", fmt.Errorf("%q is not of the form s3://BUCKET/PREFIX", target)
	}
	return bucket, prefix, nil
}

// Check finds what is wrong with the settings, as key and text, without asking the store.
func (c S3) Check() (faults [][2]string) {
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
	if _, err := c.transport(); err != nil {
		bad("ca_file", err.Error())
	}
	return faults
}

func (c S3) transport() (*http.Transport, error) {
	t := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		MaxIdleConnsPerHost:   inFlight,
		IdleConnTimeout:       time.Minute,
		DisableCompression:    true, // objects are taken as they are
	}
	if c.CAFile == "" {
		return t, nil
	}
	text, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", c.CAFile)
	}
	t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return t, nil
}

// s3Tries is how often a request is made that may succeed the next time.
const s3Tries = 4

// maxObject bounds an object that is read, bytes.
const maxObject = 1 << 30

// s3Place is a place in an S3-compatible store.
type s3Place struct {
	client         *minio.Client
	endpoint       string
	bucket, prefix string // the prefix without / at its end
}

func newS3Place(target string, c S3) (*s3Place, error) {
	bucket, prefix, err := ParseS3(target)
	if err != nil {
		return nil, err
	}
	for _, fault := range c.Check() {
		return nil, fmt.Errorf("backup.s3.%s: %s", fault[0], fault[1])
	}
	transport, err := c.transport()
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil {
		return nil, err
	}
	o := &minio.Options{
		Creds: credentials.NewStaticV4(c.AccessKey, c.SecretKey, ""), Secure: u.Scheme == "https", Region: c.Region, Transport: tracing.Transport(transport), MaxRetries: s3Tries,
	}
	if c.HostStyle {
		o.BucketLookup = minio.BucketLookupDNS
	}
	client, err := minio.New(u.Host, o)
	if err != nil {
		return nil, fmt.Errorf("store at %s: %w", c.Endpoint, err)
	}
	return &s3Place{client: client, endpoint: c.Endpoint, bucket: bucket, prefix: prefix}, nil
}

// String implements place.
func (p *s3Place) String() string { return s3Scheme + path.Join(p.bucket, p.prefix) }

func (p *s3Place) key(name string) string { return path.Join(p.prefix, name) }

// list implements place.
func (p *s3Place) list(ctx context.Context, prefix string) iter.Seq2[object, error] {
	return func(yield func(object, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for o := range p.client.ListObjects(ctx, p.bucket, minio.ListObjectsOptions{Prefix: p.key(prefix) + "/", Recursive: true}) {
			if o.Err != nil {
				yield(object{}, p.fault(o.Err))
				return
			}
			name := strings.TrimPrefix(strings.TrimPrefix(o.Key, p.prefix), "/")
			if !yield(object{name: name, size: o.Size, modified: o.LastModified}, nil) {
				return
			}
		}
	}
}

// get implements place.
func (p *s3Place) get(ctx context.Context, name string) ([]byte, error) {
	o, err := p.client.GetObject(ctx, p.bucket, p.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, p.fault(err)
	}
	b, err := readAll(o, maxObject)
	if errors.Is(err, io.ErrUnexpectedEOF) && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: object %s is cut off: %w", ErrDamaged, p.key(name), err)
	}
	if err = errors.Join(err, o.Close()); err != nil {
		return nil, p.fault(err)
	}
	return b, nil
}

// put implements place.
func (p *s3Place) put(ctx context.Context, name string, content []byte) error {
	_, err := p.client.PutObject(ctx, p.bucket, p.key(name), bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{
		ContentType: "application/octet-stream", DisableMultipart: true,
	})
	return p.fault(err)
}

// remove implements place.
func (p *s3Place) remove(ctx context.Context, name string) error {
	err := p.fault(p.client.RemoveObject(ctx, p.bucket, p.key(name), minio.RemoveObjectOptions{}))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// fault says in plain words what a store answered. The text holds no credentials.
func (p *s3Place) fault(err error) error {
	if err == nil {
		return nil
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		var netErr net.Error
		var opErr *net.OpError
		if errors.As(err, &opErr) || errors.As(err, &netErr) {
			return fmt.Errorf("the store at %s cannot be reached: %w", p.endpoint, err)
		}
		return fmt.Errorf("store at %s: %w", p.endpoint, err)
	}
	switch answer.Code {
	case "NoSuchKey":
		return fmt.Errorf("%w: object %s", fs.ErrNotExist, answer.Key)
	case "NoSuchBucket":
		return fmt.Errorf("the store at %s has no bucket %s; make it first", p.endpoint, p.bucket)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "XAdminUserNotFound":
		return fmt.Errorf("the store at %s does not accept the credentials (%s): check backup.s3.access_key and backup.s3.secret_key", p.endpoint, answer.Code)
	case "AccessDenied":
		return fmt.Errorf("the store at %s denies access to bucket %s: the credentials need the rights to list, read, write and delete objects in it", p.endpoint, p.bucket)
	case "RequestTimeTooSkewed":
		return fmt.Errorf("the store at %s says that the clock of this machine is wrong", p.endpoint)
	}
	if answer.StatusCode == http.StatusUnauthorized {
		return fmt.Errorf("the store at %s does not accept the credentials (%s)", p.endpoint, answer.Code)
	}
	return fmt.Errorf("the store at %s answers %s: %s", p.endpoint, answer.Code, answer.Message)
}
