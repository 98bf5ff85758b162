// Command versitygw is the Versity S3 gateway with folders as its only backend, for tests: without those that speak to other clouds it
// builds in two thirds of the time. It takes those flags of the original that tests set; everything else has the original's defaults.
//
//	versitygw --port ADDRESS [--health PATH] [--quiet] [--iam-dir FOLDER] posix [--sidecar FOLDER] FOLDER
//	versitygw admin --access KEY --secret SECRET --endpoint-url URL create-user --access KEY --secret SECRET --role ROLE
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/versity/versitygw/auth"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

const region = "us-east-1"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "versitygw:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "admin" {
		return admin(ctx, args[1:])
	}
	cfg := embedgw.Config{
		RootUserAccess: os.Getenv("ROOT_ACCESS_KEY"), RootUserSecret: os.Getenv("ROOT_SECRET_KEY"), Region: region,
		MaxConnections: 250000, MaxRequests: 100000, MultipartMaxParts: 10000, IAMCacheTTL: 120, IAMCachePrune: 3600,
	}
	flags := flag.NewFlagSet("versitygw", flag.ContinueOnError)
	flags.Func("port", "`address` of the S3 API", func(s string) error { cfg.Ports = append(cfg.Ports, s); return nil })
	flags.StringVar(&cfg.HealthPath, "health", "", "`path` that answers whether the gateway runs")
	flags.BoolVar(&cfg.Quiet, "quiet", false, "print no line for each request")
	flags.StringVar(&cfg.IAMDir, "iam-dir", "", "`folder` with users")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.Arg(0) != "posix" {
		return errors.New("want the backend posix, or admin")
	}
	opts := posix.PosixOpts{Concurrency: 5000, CopyObjectThreshold: 5 << 30, IOBufferSize: 1 << 20}
	backend := flag.NewFlagSet("posix", flag.ContinueOnError)
	backend.StringVar(&opts.SideCarDir, "sidecar", "", "`folder` for metadata, instead of extended attributes")
	if err := backend.Parse(flags.Args()[1:]); err != nil {
		return err
	}
	if backend.NArg() != 1 {
		return errors.New("want one folder, which holds the buckets")
	}
	store, err := metadata(opts.SideCarDir, backend.Arg(0))
	if err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	buckets, err := posix.New(backend.Arg(0), store, opts)
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(ctx, buckets, &cfg)
}

func metadata(sidecar, root string) (meta.MetadataStorer, error) {
	if sidecar != "" {
		return meta.NewSideCar(sidecar)
	}
	return meta.XattrMeta{}, meta.XattrMeta{}.Test(root)
}

// admin adds a user to a running gateway.
func admin(ctx context.Context, args []string) error {
	var owner aws.Credentials
	var endpoint string
	flags := flag.NewFlagSet("admin", flag.ContinueOnError)
	flags.StringVar(&owner.AccessKeyID, "access", "", "access `key` of the owner")
	flags.StringVar(&owner.SecretAccessKey, "secret", "", "secret `key` of the owner")
	flags.StringVar(&endpoint, "endpoint-url", "", "`URL` of the gateway")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.Arg(0) != "create-user" {
		return errors.New("want create-user")
	}
	var user auth.Account
	create := flag.NewFlagSet("create-user", flag.ContinueOnError)
	create.StringVar(&user.Access, "access", "", "access `key` of the user")
	create.StringVar(&user.Secret, "secret", "", "secret `key` of the user")
	create.StringVar((*string)(&user.Role), "role", "", "`role` of the user: user, userplus or admin")
	if err := create.Parse(flags.Args()[1:]); err != nil {
		return err
	}
	body, err := xml.Marshal(user)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPatch, endpoint+"/create-user", bytes.NewReader(body))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	req.Header.Set("X-Amz-Content-Sha256", hash)
	if err := v4.NewSigner().SignHTTP(ctx, owner, req, hash, "s3", region, time.Now()); err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s: %s", resp.Status, answer)
	}
	return err
}
