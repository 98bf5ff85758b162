package trackers

import (
	"cmp"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" // RSA-SHA1 is what Jira's OAuth 1.0a verifies
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/outbound"
)

// oauth signs requests by OAuth 1.0a (RFC 5849) with RSA-SHA1, as Jira asks for.
type oauth struct {
	consumer string
	key      *rsa.PrivateKey
	token    string // "" before the first step
	now      func() time.Time
}

// sign adds the header Authorization. more are protocol parameters of a step of the login.
func (o *oauth) sign(r *outbound.Request) error { return o.signWith(r, nil) }

func (o *oauth) signWith(r *outbound.Request, more map[string]string) error {
	u, err := url.Parse(r.URL)
	if err != nil {
		return errBlocked
	}
	var nonce [16]byte
	_, _ = rand.Read(nonce[:]) // never fails
	params := map[string]string{
		"oauth_consumer_key": o.consumer, "oauth_signature_method": "RSA-SHA1", "oauth_timestamp": strconv.FormatInt(o.now().Unix(), 10),
		"oauth_nonce": hex.EncodeToString(nonce[:]), "oauth_version": "1.0",
	}
	if o.token != "" {
		params["oauth_token"] = o.token
	}
	maps.Copy(params, more)
	digest := sha1.Sum([]byte(signatureBase(r.Method, u, params)))
	signature, err := rsa.SignPKCS1v15(nil, o.key, crypto.SHA1, digest[:])
	if err != nil {
		return fmt.Errorf("sign request to Jira: %w", err)
	}
	params["oauth_signature"] = base64.StdEncoding.EncodeToString(signature)
	var parts []string
	for name, value := range params {
		parts = append(parts, name+`="`+percent(value)+`"`)
	}
	slices.Sort(parts)
	r.Header.Set("Authorization", "OAuth "+strings.Join(parts, ", "))
	return nil
}

// signatureBase is the text that is signed (RFC 5849, 3.4.1). Bodies are JSON, so they are no part of it.
func signatureBase(method string, u *url.URL, params map[string]string) string {
	var pairs [][2]string
	for name, value := range params {
		pairs = append(pairs, [2]string{percent(name), percent(value)})
	}
	for name, list := range u.Query() {
		for _, value := range list {
			pairs = append(pairs, [2]string{percent(name), percent(value)})
		}
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1])) })
	list := make([]string, len(pairs))
	for i, p := range pairs {
		list[i] = p[0] + "=" + p[1]
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	host = strings.TrimSuffix(host, map[string]string{"http": ":80", "https": ":443"}[scheme])
	return method + "&" + percent(scheme+"://"+host+u.EscapedPath()) + "&" + percent(strings.Join(list, "&"))
}

// percent encodes a text as RFC 5849, 3.6 has it.
func percent(text string) string {
	return strings.NewReplacer("+", "%20", "%7E", "~").Replace(url.QueryEscape(text))
}

// step asks for a token of the login.
func (o *oauth) step(ctx context.Context, c *outbound.Client, address string, more map[string]string) (token string, err error) {
	r := outbound.Request{Method: http.MethodPost, URL: address, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}}
	if err := o.signWith(&r, more); err != nil {
		return "", err
	}
	a, err := c.Do(ctx, r)
	if err != nil {
		return "", unreachable(err)
	}
	values, perr := url.ParseQuery(string(a.Body))
	if a.Status != http.StatusOK {
		w := web{now: o.now, explain: func([]byte) string { return values.Get("oauth_problem") }}
		return "", w.refused(a)
	}
	token = values.Get("oauth_token")
	if perr != nil || token == "" || len(token) > 1000 {
		return "", errAnswer
	}
	return token, nil
}

// keyBits is the size of the key, which Jira of every version takes.
const keyBits = 2048

func newKey() (private, public string, err error) {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return "", "", fmt.Errorf("make key for Jira: %w", err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return "", "", fmt.Errorf("make key for Jira: %w", err)
	}
	open, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return "", "", fmt.Errorf("make key for Jira: %w", err)
	}
	return base64.StdEncoding.EncodeToString(text), string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: open})), nil
}

func readKey(private string) (*rsa.PrivateKey, error) {
	text, err := base64.StdEncoding.DecodeString(private)
	if err != nil {
		return nil, fmt.Errorf("read key for Jira: %w", err)
	}
	key, err := x509.ParsePKCS8PrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("read key for Jira: %w", err)
	}
	out, ok := key.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("key for Jira is not RSA")
	}
	return out, nil
}
