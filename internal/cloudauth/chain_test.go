package cloudauth

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// fake is a machine with some variables and files, whose servers are one handler.
type fake struct {
	env, files map[string]string
	run        func(words []string) string
}

func (f fake) system(t *testing.T) System {
	return System{
		Env: func(name string) string { return f.env[name] },
		File: func(name string) ([]byte, error) {
			if text, ok := f.files[name]; ok {
				return []byte(text), nil
			}
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		},
		Run: func(_ context.Context, words []string) ([]byte, error) { return []byte(f.run(words)), nil },
	}
}

const stsAnswer = `<AssumeRole%[1]sResponse><AssumeRole%[1]sResult><Credentials><AccessKeyId>IDSTS%[2]s</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
<SessionToken>t</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials></AssumeRole%[1]sResult></AssumeRole%[1]sResponse>`

const keysAnswer = `{"Code": "Success", "AccessKeyId": "%s", "SecretAccessKey": "s", "Token": "t", "Expiration": "2999-01-01T00:00:00Z"}`

// authServer is all servers of credentials in one.
func authServer(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		need := func(name, value string) {
			if got := r.Header.Get(name); got != value {
				t.Errorf("%s: header %s is %q, want %q", r.URL.Path, name, got, value)
			}
		}
		switch p := r.URL.Path; {
		case p == "/latest/api/token" && r.Method == "PUT":
			need("X-Aws-Ec2-Metadata-Token-Ttl-Seconds", "21600")
			fmt.Fprint(w, "imds")
		case p == "/latest/meta-data/iam/security-credentials/":
			need("X-Aws-Ec2-Metadata-Token", "imds")
			fmt.Fprint(w, "role")
		case p == "/latest/meta-data/iam/security-credentials/role":
			need("X-Aws-Ec2-Metadata-Token", "imds")
			fmt.Fprintf(w, keysAnswer, "IDEC2")
		case p == "/ecs":
			need("Authorization", "ecstoken")
			fmt.Fprintf(w, keysAnswer, "IDECS")
		case p == "/sts" && r.Form.Get("Action") == "AssumeRoleWithWebIdentity":
			if r.Form.Get("WebIdentityToken") != "webtoken" || r.Form.Get("RoleArn") != "arn:web" {
				t.Errorf("form %v", r.Form)
			}
			fmt.Fprintf(w, stsAnswer, "WithWebIdentity", "WEB")
		case p == "/sts" && r.Form.Get("Action") == "AssumeRole":
			if !strings.Contains(r.Header.Get("Authorization"), "Credential=IDBASE/") || !strings.Contains(r.Header.Get("Authorization"), "/sts/aws4_request") {
				t.Errorf("Authorization %s", r.Header.Get("Authorization"))
			}
			fmt.Fprintf(w, stsAnswer, "", "ROLE")
		case p == "/computeMetadata/v1/instance/service-accounts/default/token":
			need("Metadata-Flavor", "Google")
			fmt.Fprint(w, `{"access_token": "gce", "expires_in": 3599}`)
		case p == "/google" && r.Form.Get("grant_type") == "refresh_token":
			if r.Form.Get("refresh_token") != "refresh" || r.Form.Get("client_secret") != "secret" {
				t.Errorf("form %v", r.Form)
			}
			fmt.Fprint(w, `{"access_token": "user", "expires_in": 3599}`)
		case p == "/google":
			parts := strings.Split(r.Form.Get("assertion"), ".")
			claims, err := base64.RawURLEncoding.DecodeString(parts[1])
			if err != nil || len(parts) != 3 || !strings.Contains(string(claims), `"iss":"a@b"`) {
				t.Errorf("assertion %v", parts)
			}
			fmt.Fprint(w, `{"access_token": "account", "expires_in": 3599}`)
		case p == "/tenant/oauth2/v2.0/token" && r.Form.Get("client_secret") == "secret":
			fmt.Fprint(w, `{"access_token": "principal", "expires_in": 3599}`)
		case p == "/tenant/oauth2/v2.0/token" && r.Form.Get("client_assertion") == "webtoken":
			fmt.Fprint(w, `{"access_token": "workload", "expires_in": 3599}`)
		case p == "/metadata/identity/oauth2/token":
			need("Metadata", "true")
			fmt.Fprint(w, `{"access_token": "managed", "expires_in": "3599"}`)
		case p == "/msi":
			need("X-Identity-Header", "header")
			fmt.Fprint(w, `{"access_token": "app", "expires_in": "3599"}`)
		default:
			w.WriteHeader(404)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestAWSChain(t *testing.T) {
	url := authServer(t).URL
	base := func(m map[string]string) map[string]string {
		all := map[string]string{"HOME": "/h", "AWS_ENDPOINT_URL_STS": url + "/sts", "AWS_EC2_METADATA_SERVICE_ENDPOINT": url}
		for k, v := range m {
			all[k] = v
		}
		return all
	}
	const config = "/h/.aws/config"
	const credentials = "/h/.aws/credentials"
	for _, tt := range []struct {
		name, profile string
		env, files    map[string]string
		want          string // the id, or the text of the error
	}{
		{"environment", "", map[string]string{"AWS_ACCESS_KEY_ID": "IDENV", "AWS_SECRET_ACCESS_KEY": "s"}, nil, "IDENV"},
		{"half an environment", "", map[string]string{"AWS_ACCESS_KEY_ID": "IDENV"}, nil, "AWS_SECRET_ACCESS_KEY is not"},
		{"web identity", "", map[string]string{"AWS_WEB_IDENTITY_TOKEN_FILE": "/tok", "AWS_ROLE_ARN": "arn:web"}, map[string]string{"/tok": "webtoken\n"}, "IDSTSWEB"},
		{"profile", "", nil, map[string]string{credentials: "[default]\naws_access_key_id = IDFILE # old\naws_secret_access_key=s\n"}, "IDFILE"},
		{"named profile", "dev", map[string]string{"AWS_ACCESS_KEY_ID": "IDENV", "AWS_SECRET_ACCESS_KEY": "s"}, map[string]string{config: "[profile dev]\naws_access_key_id=IDDEV\naws_secret_access_key=s\n"}, "IDDEV"},
		{"AWS_PROFILE", "", map[string]string{"AWS_PROFILE": "dev"}, map[string]string{credentials: "[dev]\naws_access_key_id=IDDEV\naws_secret_access_key=s\n"}, "IDDEV"},
		{"no such profile", "dev", nil, nil, `no profile "dev"`},
		{"a program", "", nil, map[string]string{config: "[default]\ncredential_process = \"/my bin/x\" --a 'b c'\n"}, "IDPROC"},
		{"a role", "", nil, map[string]string{config: "[default]\nrole_arn = arn:r\nsource_profile = base\nregion = eu-west-1\n[profile base]\naws_access_key_id=IDBASE\naws_secret_access_key=s\n"}, "IDSTSROLE"},
		{"roles in a circle", "", nil, map[string]string{config: "[default]\nrole_arn = arn:r\nsource_profile = base\n[profile base]\nrole_arn=arn:s\nsource_profile=default\n"}, "refers to itself"},
		{"web identity of a profile", "", nil, map[string]string{config: "[default]\nrole_arn = arn:web\nweb_identity_token_file = /tok\n", "/tok": "webtoken"}, "IDSTSWEB"},
		{"single sign-on", "", nil, map[string]string{config: "[default]\nsso_session = x\n"}, "single sign-on"},
		{"a container", "", map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": url + "/ecs", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "ecstoken"}, nil, "IDECS"},
		{"a container afar", "", map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://example.org/ecs"}, nil, "must be https"},
		{"EC2", "", nil, nil, "IDEC2"},
		{"nothing", "", map[string]string{"AWS_EC2_METADATA_DISABLED": "true"}, nil, "no credentials for S3"},
		{"a broken file", "", nil, map[string]string{config: "[default]\nverysecret\n"}, "line 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := fake{env: base(tt.env), files: tt.files, run: func(words []string) string {
				if strings.Join(words, "|") != "/my bin/x|--a|b c" {
					t.Errorf("runs %q", words)
				}
				return `{"Version": 1, "AccessKeyId": "IDPROC", "SecretAccessKey": "s"}`
			}}
			keys, err := NewAWS(f.system(t), tt.profile, "", false).Keys(t.Context())
			if err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "verysecret")) || err == nil && keys.ID != tt.want {
				t.Errorf("%q, %v, want %s", keys.ID, err, tt.want)
			}
			if tt.want == "no credentials for S3" && !errors.Is(err, ErrNone) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAWSRegion(t *testing.T) {
	f := fake{env: map[string]string{"HOME": "/h"}, files: map[string]string{"/h/.aws/config": "[default]\nregion = eu-west-1\n"}}
	a := NewAWS(f.system(t), "", "", false)
	if r := a.Region(); r != "eu-west-1" {
		t.Errorf("region %s", r)
	}
	a.SetRegion("us-west-2")
	if r := a.Region(); r != "us-west-2" {
		t.Errorf("region %s", r)
	}
}

// Keys are kept until five minutes before their end, and used until their end if there are no new ones.
func TestKept(t *testing.T) {
	now := time.Unix(0, 0)
	made, fails := 0, false
	var k kept[int]
	get := func() (int, error) {
		return k.get(t.Context(), func() time.Time { return now }, func() (int, time.Time, error) {
			if fails {
				return 0, time.Time{}, errors.New("no")
			}
			made++
			return made, now.Add(time.Hour), nil
		})
	}
	for _, step := range []struct {
		after time.Duration
		fails bool
		want  int
	}{{0, false, 1}, {50 * time.Minute, false, 1}, {56 * time.Minute, true, 1}, {56 * time.Minute, false, 2}} {
		now, fails = time.Unix(0, 0).Add(step.after), step.fails
		if n, err := get(); n != step.want || err != nil {
			t.Errorf("after %v: %d, %v, want %d", step.after, n, err, step.want)
		}
	}
	now, fails = now.Add(2*time.Hour), true
	if _, err := get(); err == nil {
		t.Error("keys are used after their end")
	}
}

// Where there are no credentials, they are not looked for with each request: a search may wait for servers.
func TestKeptNone(t *testing.T) {
	var k kept[int]
	now, searches := time.Unix(0, 0), 0
	for _, after := range []time.Duration{0, time.Second, searchEvery, searchEvery + time.Second} {
		_, err := k.get(t.Context(), func() time.Time { return now.Add(after) }, func() (int, time.Time, error) {
			searches++
			return 0, time.Time{}, fmt.Errorf("%w: nowhere", ErrNone)
		})
		if !errors.Is(err, ErrNone) {
			t.Errorf("after %v: error %v", after, err)
		}
	}
	if searches != 2 {
		t.Errorf("%d searches in a minute and a second, want 2", searches)
	}
	got, err := k.get(t.Context(), func() time.Time { return now.Add(time.Hour) }, func() (int, time.Time, error) { return 7, time.Time{}, nil })
	if got != 7 || err != nil {
		t.Errorf("when there are some: %d, error %v", got, err)
	}
}

func TestGoogle(t *testing.T) {
	server := authServer(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	account, err := json.Marshal(googleFile{Type: "service_account", Email: "a@b", Key: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})), TokenURI: server.URL + "/google"})
	if err != nil {
		t.Fatal(err)
	}
	const standard = "/h/.config/gcloud/application_default_credentials.json"
	for _, tt := range []struct {
		name       string
		env, files map[string]string
		want       string
	}{
		{"service account", map[string]string{"GOOGLE_APPLICATION_CREDENTIALS": "/k"}, map[string]string{"/k": string(account)}, "account"},
		{"user", nil, map[string]string{standard: `{"type": "authorized_user", "client_secret": "secret", "refresh_token": "refresh", "token_uri": "` + server.URL + `/google"}`}, "user"},
		{"machine", map[string]string{"GCE_METADATA_HOST": strings.TrimPrefix(server.URL, "http://")}, nil, "gce"},
		{"nothing", map[string]string{"NO_GCE_CHECK": "true"}, nil, "no credentials for Google"},
		{"another type", nil, map[string]string{standard: `{"type": "external_account"}`}, "external_account"},
		{"a server without TLS", nil, map[string]string{standard: `{"type": "authorized_user", "token_uri": "http://example.org/"}`}, "token_uri must be"},
		{"no JSON", nil, map[string]string{standard: `verysecret`}, "not a JSON file"},
		{"a file that is not there", map[string]string{"GOOGLE_APPLICATION_CREDENTIALS": "/k"}, nil, "not exist"},
	} {
		env := map[string]string{"HOME": "/h"}
		for k, v := range tt.env {
			env[k] = v
		}
		g := &Google{System: fake{env: env, files: tt.files}.system(t)}
		checkToken(t, tt.name, g, tt.want)
	}
}

func checkToken(t *testing.T, name string, a interface {
	Authorize(*http.Request, string) error
}, want string) {
	t.Helper()
	req := httptest.NewRequest("GET", "https://x/y", nil)
	err := a.Authorize(req, "")
	got := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
	if err != nil {
		got = err.Error()
	}
	if got != want && (err == nil || !strings.Contains(got, want)) || strings.Contains(got, "verysecret") {
		t.Errorf("%s: %s, want %s", name, got, want)
	}
}

func TestAzure(t *testing.T) {
	url := authServer(t).URL
	for _, tt := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"service principal", map[string]string{"AZURE_TENANT_ID": "tenant", "AZURE_CLIENT_ID": "c", "AZURE_CLIENT_SECRET": "secret"}, "principal"},
		{"workload identity", map[string]string{"AZURE_TENANT_ID": "tenant", "AZURE_CLIENT_ID": "c", "AZURE_FEDERATED_TOKEN_FILE": "/tok"}, "workload"},
		{"managed identity", nil, "managed"},
		{"App Service", map[string]string{"IDENTITY_ENDPOINT": url + "/msi", "IDENTITY_HEADER": "header"}, "app"},
		{"bad key", map[string]string{"AZURE_STORAGE_KEY": "verysecret!"}, "not base64"},
		{"bad host", map[string]string{"AZURE_AUTHORITY_HOST": "http://example.org"}, "must be an https URL"},
		{"nothing", map[string]string{"AZURE_POD_IDENTITY_AUTHORITY_HOST": url + "/none"}, "no credentials for Azure"},
	} {
		env := map[string]string{"AZURE_AUTHORITY_HOST": url, "AZURE_POD_IDENTITY_AUTHORITY_HOST": url}
		for k, v := range tt.env {
			env[k] = v
		}
		checkToken(t, tt.name, &Azure{System: fake{env: env, files: map[string]string{"/tok": "webtoken"}}.system(t), Account: "a"}, tt.want)
	}
	req := httptest.NewRequest("GET", "https://x/y?comp=list", nil)
	a := &Azure{System: fake{env: map[string]string{"AZURE_STORAGE_SAS_TOKEN": "?sv=1&sig=x%3D"}}.system(t)}
	if err := a.Authorize(req, ""); err != nil || req.URL.RawQuery != "comp=list&sv=1&sig=x%3D" {
		t.Errorf("%s, %v", req.URL.RawQuery, err)
	}
}

func FuzzINI(f *testing.F) {
	f.Add("[default]\na = b # c\ns3 =\n  x = y\n[profile x]\n\tb=c\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := parseINI(text)
		if err != nil {
			return
		}
		for section, pairs := range file {
			for name, value := range pairs {
				if name == "" || strings.ContainsAny(name+value, "\n") || strings.Contains(section, "]") {
					t.Errorf("section %q: %q = %q", section, name, value)
				}
			}
		}
	})
}

func FuzzSplitCommand(f *testing.F) {
	f.Add(`"/my bin/x" --a 'b c'`)
	f.Fuzz(func(t *testing.T, text string) {
		words, err := splitCommand(text)
		if err == nil && len(words) == 0 {
			t.Error("no word, no error")
		}
		for _, w := range words {
			if len(w) > len(text) {
				t.Errorf("%q is longer than %q", w, text)
			}
		}
	})
}

func FuzzCredentials(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(keysAnswer, "x")))
	f.Add([]byte(fmt.Sprintf(stsAnswer, "", "x")))
	f.Add([]byte(`{"access_token": "x", "expires_in": "5"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, parse := range []func([]byte) (AWSKeys, error){parseKeys, parseSTS} {
			if keys, err := parse(data); err == nil && (keys.ID == "" || keys.Secret == "") {
				t.Error("credentials without a key")
			}
		}
		if token, until, err := parseToken(data, time.Unix(0, 0)); err == nil && (token == "" || until.Before(time.Unix(0, 0))) {
			t.Errorf("token %q until %v", token, until)
		}
	})
}
