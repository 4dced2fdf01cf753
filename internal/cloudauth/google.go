package cloudauth

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Google authorizes requests for Google Cloud Storage with the application default credentials: a file of a service account or
// of a user, or the metadata server. It may be used by several goroutines.
type Google struct {
	System
	Lenient bool // requests are not authorized if there are no credentials
	token   kept[string]
}

const googleScope = "https://www.googleapis.com/auth/devstorage.read_write"

// Authorize adds a token to a request.
func (g *Google) Authorize(req *http.Request, _ string) error {
	token, err := g.token.get(req.Context(), g.now, func() (string, time.Time, error) { return g.find(req.Context()) })
	if errors.Is(err, ErrNone) && g.Lenient {
		return nil
	}
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// googleFile is a file of credentials.
type googleFile struct {
	Type         string `json:"type"`
	Email        string `json:"client_email"`
	Key          string `json:"private_key"`
	KeyID        string `json:"private_key_id"`
	TokenURI     string `json:"token_uri"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	RefreshToken string `json:"refresh_token"`
}

func (g *Google) find(ctx context.Context) (string, time.Time, error) {
	name := g.env("GOOGLE_APPLICATION_CREDENTIALS")
	given := name != ""
	if !given {
		config := firstOf(g.env("CLOUDSDK_CONFIG"), g.home(".config", "gcloud"))
		if app := g.env("APPDATA"); app != "" && g.env("CLOUDSDK_CONFIG") == "" {
			config = app + "/gcloud"
		}
		name = config + "/application_default_credentials.json"
	}
	data, err := g.file(name)
	if errors.Is(err, fs.ErrNotExist) && !given {
		return g.machine(ctx)
	}
	if err != nil {
		return "", time.Time{}, fmt.Errorf("credentials of Google: %w", err)
	}
	token, until, err := g.fromFile(ctx, data)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("credentials of Google: %s: %w", name, err)
	}
	return token, until, nil
}

func (g *Google) fromFile(ctx context.Context, data []byte) (string, time.Time, error) {
	var f googleFile
	if json.Unmarshal(data, &f) != nil {
		return "", time.Time{}, errors.New("not a JSON file of credentials") // the error of json may quote it
	}
	u, err := url.Parse(firstOf(f.TokenURI, "https://oauth2.googleapis.com/token"))
	if err != nil || !trustedHTTP(u) {
		return "", time.Time{}, errors.New("token_uri must be an https URL")
	}
	form := url.Values{}
	switch f.Type {
	case "service_account":
		assertion, err := f.jwt(u.String(), g.now())
		if err != nil {
			return "", time.Time{}, err
		}
		form.Set("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
		form.Set("assertion", assertion)
	case "authorized_user":
		form.Set("grant_type", "refresh_token")
		form.Set("client_id", f.ClientID)
		form.Set("client_secret", f.ClientSecret)
		form.Set("refresh_token", f.RefreshToken)
	default:
		return "", time.Time{}, fmt.Errorf("credentials of type %q: set Options.Signer: %w", f.Type, errors.ErrUnsupported)
	}
	return g.tokenFrom(ctx, u.String(), form, nil, false)
}

// jwt returns a signed claim of a service account, RFC 7523.
func (f googleFile) jwt(audience string, now time.Time) (string, error) {
	block, _ := pem.Decode([]byte(f.Key))
	if block == nil {
		return "", errors.New("private_key is not PEM")
	}
	var key *rsa.PrivateKey
	if k, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		key, _ = k.(*rsa.PrivateKey)
	} else if key, err = x509.ParsePKCS1PrivateKey(block.Bytes); err != nil {
		key = nil
	}
	if key == nil {
		return "", errors.New("private_key is not an RSA key")
	}
	head, err := json.Marshal(map[string]string{"alg": "RS256", "typ": "JWT", "kid": f.KeyID})
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{"iss": f.Email, "scope": googleScope, "aud": audience, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(head) + "." + base64.RawURLEncoding.EncodeToString(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	if err != nil {
		return "", err
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// machine asks the metadata server of Google Cloud. Where there is none, the error wraps ErrNone.
func (g *Google) machine(ctx context.Context) (string, time.Time, error) {
	none := fmt.Errorf("%w for Google Cloud Storage: run gcloud auth application-default login, set GOOGLE_APPLICATION_CREDENTIALS, or ask anonymously", ErrNone)
	if g.env("NO_GCE_CHECK") == "true" {
		return "", time.Time{}, none
	}
	short, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	host := firstOf(g.env("GCE_METADATA_HOST"), "metadata.google.internal")
	data, err := g.metadata(short, http.MethodGet, "http://"+host+"/computeMetadata/v1/instance/service-accounts/default/token", "Metadata-Flavor", "Google")
	if err != nil {
		if ctx.Err() != nil {
			return "", time.Time{}, context.Cause(ctx)
		}
		return "", time.Time{}, none
	}
	return parseToken(data, g.now())
}

// tokenFrom sends a form to a server of tokens.
func (s System) tokenFrom(ctx context.Context, address string, form url.Values, header http.Header, near bool) (string, time.Time, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return "", time.Time{}, errors.New("the address of the server of tokens is invalid")
	}
	for k, v := range header {
		req.Header[k] = v
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	data, err := s.ask(req, near)
	if err != nil {
		return "", time.Time{}, err
	}
	return parseToken(data, s.now())
}

// parseToken parses the JSON of a server of tokens. Some give the seconds as text.
func parseToken(data []byte, now time.Time) (string, time.Time, error) {
	var j struct {
		Token   string      `json:"access_token"`
		Seconds json.Number `json:"expires_in"`
	}
	if json.Unmarshal(data, &j) != nil || j.Token == "" || strings.ContainsAny(j.Token, "\r\n") {
		return "", time.Time{}, errors.New("the server of tokens answers without a token")
	}
	n, err := j.Seconds.Int64()
	if err != nil || n <= 0 {
		n = 300
	}
	return j.Token, now.Add(time.Duration(min(n, 1<<31)) * time.Second), nil
}
