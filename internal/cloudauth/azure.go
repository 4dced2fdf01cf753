package cloudauth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Azure authorizes requests for Azure Blob Storage: by a shared key, a shared access signature, a service principal, a
// workload identity or a managed identity. It may be used by several goroutines.
type Azure struct {
	System
	Account    string
	Connection map[string]string // the connection string
	Lenient    bool              // requests are not authorized if there are no credentials
	token      kept[string]
}

const (
	azureVersion = "2021-12-02"
	azureScope   = "https://storage.azure.com/"
)

// Authorize authorizes a request.
func (a *Azure) Authorize(req *http.Request, _ string) error {
	req.Header.Set("X-Ms-Version", azureVersion)
	req.Header.Set("X-Ms-Date", a.now().UTC().Format(http.TimeFormat))
	key := firstOf(a.Connection["AccountKey"], a.env("AZURE_STORAGE_KEY"), a.env("AZURE_STORAGE_ACCOUNT_KEY"))
	sas := strings.TrimPrefix(firstOf(a.Connection["SharedAccessSignature"], a.env("AZURE_STORAGE_SAS_TOKEN")), "?")
	switch {
	case key != "":
		raw, err := base64.StdEncoding.DecodeString(key)
		if err != nil {
			return errors.New("the key of the storage account is not base64")
		}
		SignSharedKey(req, firstOf(a.Connection["AccountName"], a.Account), raw)
		return nil
	case sas != "":
		if req.URL.RawQuery != "" {
			sas = "&" + sas
		}
		req.URL.RawQuery += sas
		return nil
	}
	token, err := a.token.get(req.Context(), a.now, func() (string, time.Time, error) { return a.find(req.Context()) })
	if errors.Is(err, ErrNone) && a.Lenient {
		return nil
	}
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// SignSharedKey signs a request of the blob service with the key of an account.
func SignSharedKey(req *http.Request, account string, key []byte) {
	h := req.Header
	length := ""
	if req.ContentLength > 0 {
		length = strconv.FormatInt(req.ContentLength, 10)
	}
	lines := []string{req.Method, h.Get("Content-Encoding"), h.Get("Content-Language"), length, h.Get("Content-MD5"), h.Get("Content-Type"), "",
		h.Get("If-Modified-Since"), h.Get("If-Match"), h.Get("If-None-Match"), h.Get("If-Unmodified-Since"), h.Get("Range")}
	var names []string
	for name := range h {
		if strings.HasPrefix(strings.ToLower(name), "x-ms-") {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	for _, name := range names {
		lines = append(lines, strings.ToLower(name)+":"+strings.TrimSpace(strings.Join(h[name], ",")))
	}
	resource := "/" + account + req.URL.EscapedPath()
	query := req.URL.Query()
	for _, name := range slices.Sorted(keysOf(query)) {
		values := slices.Sorted(slices.Values(query[name]))
		resource += "\n" + strings.ToLower(name) + ":" + strings.Join(values, ",")
	}
	m := hmac.New(sha256.New, key)
	m.Write([]byte(strings.Join(append(lines, resource), "\n")))
	h.Set("Authorization", "SharedKey "+account+":"+base64.StdEncoding.EncodeToString(m.Sum(nil)))
}

func keysOf(v url.Values) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range v {
			if !yield(k) {
				return
			}
		}
	}
}

// find returns a token of Microsoft Entra.
func (a *Azure) find(ctx context.Context) (string, time.Time, error) {
	tenant, client := a.env("AZURE_TENANT_ID"), a.env("AZURE_CLIENT_ID")
	authority := strings.TrimSuffix(firstOf(a.env("AZURE_AUTHORITY_HOST"), "https://login.microsoftonline.com"), "/")
	if u, err := url.Parse(authority); err != nil || !trustedHTTP(u) {
		return "", time.Time{}, errors.New("AZURE_AUTHORITY_HOST must be an https URL")
	}
	form := url.Values{"client_id": {client}, "scope": {azureScope + ".default"}, "grant_type": {"client_credentials"}}
	switch secret, file := a.env("AZURE_CLIENT_SECRET"), a.env("AZURE_FEDERATED_TOKEN_FILE"); {
	case tenant != "" && client != "" && secret != "":
		form.Set("client_secret", secret)
	case tenant != "" && client != "" && file != "":
		data, err := a.file(file)
		if err != nil {
			return "", time.Time{}, fmt.Errorf("workload identity of Azure: %w", err)
		}
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", strings.TrimSpace(string(data)))
	default:
		return a.managed(ctx, client)
	}
	token, until, err := a.tokenFrom(ctx, authority+"/"+url.PathEscape(tenant)+"/oauth2/v2.0/token", form, nil, false)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("credentials of Azure: %w", err)
	}
	return token, until, nil
}

// managed asks for the token of a managed identity: of App Service, or of a virtual machine. Where there is none, the error
// wraps ErrNone.
func (a *Azure) managed(ctx context.Context, client string) (string, time.Time, error) {
	query := url.Values{"resource": {azureScope}, "api-version": {"2018-02-01"}}
	if client != "" {
		query.Set("client_id", client)
	}
	base, header, value := firstOf(a.env("AZURE_POD_IDENTITY_AUTHORITY_HOST"), "http://169.254.169.254")+"/metadata/identity/oauth2/token", "Metadata", "true"
	if endpoint, secret := a.env("IDENTITY_ENDPOINT"), a.env("IDENTITY_HEADER"); endpoint != "" && secret != "" {
		query.Set("api-version", "2019-08-01")
		base, header, value = endpoint, "X-Identity-Header", secret
	}
	short, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	data, err := a.metadata(short, http.MethodGet, base+"?"+query.Encode(), header, value)
	if err != nil {
		if ctx.Err() != nil {
			return "", time.Time{}, context.Cause(ctx)
		}
		return "", time.Time{}, fmt.Errorf("%w for Azure: set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING, or ask anonymously", ErrNone)
	}
	return parseToken(data, a.now())
}
