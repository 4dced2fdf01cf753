package cloudauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// process runs the program of credential_process.
func (a *AWS) process(ctx context.Context, command string) (AWSKeys, error) {
	words, err := splitCommand(command)
	if err != nil {
		return AWSKeys{}, err
	}
	run := a.Run
	if run == nil {
		run = func(ctx context.Context, words []string) ([]byte, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, words[0], words[1:]...)
			cmd.WaitDelay = time.Second // programs that it has started may keep its output open
			return cmd.Output()
		}
	}
	data, err := run(ctx, words)
	if err != nil {
		return AWSKeys{}, fmt.Errorf("credential_process: %w", err)
	}
	keys, err := parseKeys(data)
	if err != nil {
		return AWSKeys{}, fmt.Errorf("credential_process: %w", err)
	}
	return keys, nil
}

// parseKeys parses the JSON of credential_process, containers and EC2.
func parseKeys(data []byte) (AWSKeys, error) {
	var j struct {
		Version                      int
		AccessKeyId, SecretAccessKey string
		SessionToken, Token          string
		Expiration                   string
		Code                         string
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return AWSKeys{}, errors.New("the credentials are not JSON") // err may quote them
	}
	if j.Code != "" && j.Code != "Success" {
		return AWSKeys{}, fmt.Errorf("the server of credentials reports %q", j.Code)
	}
	if j.AccessKeyId == "" || j.SecretAccessKey == "" {
		return AWSKeys{}, errors.New("no AccessKeyId or no SecretAccessKey")
	}
	keys := AWSKeys{ID: j.AccessKeyId, Secret: j.SecretAccessKey, Token: firstOf(j.SessionToken, j.Token)}
	if j.Expiration != "" {
		until, err := time.Parse(time.RFC3339, j.Expiration)
		if err != nil {
			return AWSKeys{}, errors.New("the Expiration is not a time of RFC 3339")
		}
		keys.until = until
	}
	return keys, nil
}

// webIdentity exchanges the token in a file for keys: IAM roles for service accounts.
func (a *AWS) webIdentity(ctx context.Context, file, role, session string) (AWSKeys, error) {
	token, err := a.file(file)
	if err != nil {
		return AWSKeys{}, fmt.Errorf("web identity: %w", err)
	}
	form := url.Values{
		"Action": {"AssumeRoleWithWebIdentity"}, "Version": {"2011-06-15"}, "RoleArn": {role},
		"RoleSessionName": {firstOf(session, "npy")}, "WebIdentityToken": {strings.TrimSpace(string(token))},
	}
	return a.sts(ctx, form, nil)
}

// assume exchanges keys for the keys of a role.
func (a *AWS) assume(ctx context.Context, source AWSKeys, role string, p map[string]string) (AWSKeys, error) {
	form := url.Values{"Action": {"AssumeRole"}, "Version": {"2011-06-15"}, "RoleArn": {role}, "RoleSessionName": {firstOf(p["role_session_name"], "npy")}}
	if id := p["external_id"]; id != "" {
		form.Set("ExternalId", id)
	}
	if n, err := strconv.Atoi(p["duration_seconds"]); err == nil {
		form.Set("DurationSeconds", strconv.Itoa(n))
	}
	if p["mfa_serial"] != "" {
		return AWSKeys{}, fmt.Errorf("role %s asks for a code (mfa_serial): use aws configure export-credentials: %w", role, errors.ErrUnsupported)
	}
	return a.sts(ctx, form, &source)
}

// sts asks the security token service, signed by keys unless they are nil.
func (a *AWS) sts(ctx context.Context, form url.Values, keys *AWSKeys) (AWSKeys, error) {
	region := firstOf(a.env("AWS_REGION"), a.env("AWS_DEFAULT_REGION"), a.profile(a.profileName())["region"], "us-east-1")
	host := "sts." + region + ".amazonaws.com"
	if strings.HasPrefix(region, "cn-") {
		host += ".cn"
	}
	endpoint := firstOf(a.env("AWS_ENDPOINT_URL_STS"), "https://"+host)
	u, err := url.Parse(endpoint)
	if err != nil || !trustedHTTP(u) {
		return AWSKeys{}, errors.New("AWS_ENDPOINT_URL_STS or the region is invalid")
	}
	u.Path = firstOf(u.Path, "/")
	body := form.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(body))
	if err != nil {
		return AWSKeys{}, errors.New("AWS_ENDPOINT_URL_STS is invalid")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	if keys != nil {
		sum := sha256.Sum256([]byte(body))
		SignV4(req, *keys, region, "sts", hex.EncodeToString(sum[:]), a.now())
	}
	data, err := a.ask(req, false)
	if err != nil {
		return AWSKeys{}, fmt.Errorf("%s: %w", form.Get("Action"), err)
	}
	return parseSTS(data)
}

// parseSTS parses the answer of the security token service.
func parseSTS(data []byte) (AWSKeys, error) {
	type credentials struct {
		AccessKeyId, SecretAccessKey, SessionToken, Expiration string
	}
	var x struct {
		Web  credentials `xml:"AssumeRoleWithWebIdentityResult>Credentials"`
		Role credentials `xml:"AssumeRoleResult>Credentials"`
	}
	if err := xml.Unmarshal(data, &x); err != nil {
		return AWSKeys{}, errors.New("the answer of the security token service is not XML")
	}
	c := x.Web
	if c.AccessKeyId == "" {
		c = x.Role
	}
	until, err := time.Parse(time.RFC3339, c.Expiration)
	if err != nil || c.AccessKeyId == "" || c.SecretAccessKey == "" {
		return AWSKeys{}, errors.New("the answer of the security token service has no credentials")
	}
	return AWSKeys{ID: c.AccessKeyId, Secret: c.SecretAccessKey, Token: c.SessionToken, until: until}, nil
}

const ecsHost = "169.254.170.2"

// container asks the server of credentials of a container: ECS and EKS Pod Identity.
func (a *AWS) container(ctx context.Context) (AWSKeys, error) {
	address := a.env("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if path := a.env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); path != "" {
		address = "http://" + ecsHost + path
	}
	u, err := url.Parse(address)
	if err != nil || !trustedHTTP(u, ecsHost, "169.254.170.23", "fd00:ec2::23") {
		return AWSKeys{}, errors.New("AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, or a host of the machine")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return AWSKeys{}, errors.New("AWS_CONTAINER_CREDENTIALS_FULL_URI is invalid")
	}
	token := a.env("AWS_CONTAINER_AUTHORIZATION_TOKEN")
	if file := a.env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); file != "" {
		data, err := a.file(file)
		if err != nil {
			return AWSKeys{}, fmt.Errorf("credentials of the container: %w", err)
		}
		token = strings.TrimSpace(string(data))
	}
	if strings.ContainsAny(token, "\r\n") {
		return AWSKeys{}, errors.New("the authorization token of the container has line ends")
	}
	if token != "" {
		req.Header.Set("Authorization", token)
	}
	data, err := a.ask(req, true)
	if err != nil {
		return AWSKeys{}, fmt.Errorf("credentials of the container: %w", err)
	}
	return parseKeys(data)
}

// instance asks the metadata service of EC2, version 2. Where there is none, the error wraps ErrNone.
func (a *AWS) instance(ctx context.Context) (AWSKeys, error) {
	base := firstOf(a.env("AWS_EC2_METADATA_SERVICE_ENDPOINT"), "http://169.254.169.254")
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	token, err := a.metadata(short, http.MethodPut, base+"/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds", "21600")
	if err != nil {
		if ctx.Err() != nil {
			return AWSKeys{}, context.Cause(ctx)
		}
		return AWSKeys{}, fmt.Errorf("%w: the metadata service of EC2: %w", ErrNone, err)
	}
	const roles = "/latest/meta-data/iam/security-credentials/"
	const header = "X-aws-ec2-metadata-token"
	role, err := a.metadata(ctx, http.MethodGet, base+roles, header, string(token))
	if err != nil {
		if ctx.Err() != nil {
			return AWSKeys{}, context.Cause(ctx)
		}
		return AWSKeys{}, fmt.Errorf("%w: the machine has no role: %w", ErrNone, err)
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(role)), "\n")
	data, err := a.metadata(ctx, http.MethodGet, base+roles+url.PathEscape(name), header, string(token))
	if err != nil {
		return AWSKeys{}, fmt.Errorf("the metadata service of EC2: %w", err)
	}
	return parseKeys(data)
}

// metadata sends a request with one header to a metadata service.
func (s System) metadata(ctx context.Context, method, address, header, value string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, errors.New("the address of the metadata service is invalid")
	}
	if strings.ContainsAny(value, "\r\n") {
		return nil, errors.New("the token of the metadata service has line ends")
	}
	req.Header.Set(header, value)
	return s.ask(req, true)
}
