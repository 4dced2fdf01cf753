package cloudauth

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"sync"
	"time"
)

// AWS signs requests for S3 with the credentials of the chain of AWS: environment, web identity, profile files, containers,
// EC2. It may be used by several goroutines.
type AWS struct {
	System
	Profile string // "" means AWS_PROFILE, or default
	Lenient bool   // requests are not signed if there are no credentials

	mu     sync.Mutex
	region string
	keys   kept[AWSKeys]
	files  func() (iniFile, error)
}

// NewAWS returns an AWS for a bucket in region, which may be "".
func NewAWS(s System, profile, region string, lenient bool) *AWS {
	a := &AWS{System: s, Profile: profile, region: region, Lenient: lenient}
	a.files = sync.OnceValues(a.readFiles)
	return a
}

// SetRegion sets the region that a server has named.
func (a *AWS) SetRegion(region string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.region = region
}

// Region returns the region that requests are signed for.
func (a *AWS) Region() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.region == "" {
		a.region = firstOf(a.env("AWS_REGION"), a.env("AWS_DEFAULT_REGION"), a.profile(a.profileName())["region"], "us-east-1")
	}
	return a.region
}

func firstOf(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}

// Authorize signs a request.
func (a *AWS) Authorize(req *http.Request, sum string) error {
	keys, err := a.Keys(req.Context())
	if errors.Is(err, ErrNone) && a.Lenient {
		return nil
	}
	if err != nil {
		return err
	}
	SignV4(req, keys, a.Region(), "s3", firstOf(sum, EmptySum), a.now())
	return nil
}

// Keys returns credentials, which are kept until shortly before their end.
func (a *AWS) Keys(ctx context.Context) (AWSKeys, error) {
	return a.keys.get(ctx, a.now, func() (AWSKeys, time.Time, error) {
		keys, err := a.find(ctx)
		return keys, keys.until, err
	})
}

// find walks the chain.
func (a *AWS) find(ctx context.Context) (AWSKeys, error) {
	if id := a.env("AWS_ACCESS_KEY_ID"); id != "" && a.Profile == "" {
		secret := a.env("AWS_SECRET_ACCESS_KEY")
		if secret == "" {
			return AWSKeys{}, errors.New("AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not")
		}
		return AWSKeys{ID: id, Secret: secret, Token: a.env("AWS_SESSION_TOKEN")}, nil
	}
	if file, role := a.env("AWS_WEB_IDENTITY_TOKEN_FILE"), a.env("AWS_ROLE_ARN"); file != "" && role != "" && a.Profile == "" {
		return a.webIdentity(ctx, file, role, a.env("AWS_ROLE_SESSION_NAME"))
	}
	keys, err := a.fromProfile(ctx, a.profileName(), nil)
	if err == nil || !errors.Is(err, ErrNone) {
		return keys, err
	}
	if a.env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" || a.env("AWS_CONTAINER_CREDENTIALS_FULL_URI") != "" {
		return a.container(ctx)
	}
	if a.Profile == "" && a.env("AWS_EC2_METADATA_DISABLED") != "true" {
		if keys, err := a.instance(ctx); err == nil || !errors.Is(err, ErrNone) {
			return keys, err
		}
	}
	return AWSKeys{}, fmt.Errorf("%w for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or a profile, or ask anonymously", ErrNone)
}

func (a *AWS) profileName() string {
	return firstOf(a.Profile, a.env("AWS_PROFILE"), a.env("AWS_DEFAULT_PROFILE"), "default")
}

// readFiles reads the two files of profiles. Sections are named by the profile; the credentials file wins.
func (a *AWS) readFiles() (iniFile, error) {
	all := iniFile{}
	for i, name := range []string{
		firstOf(a.env("AWS_CONFIG_FILE"), a.home(".aws", "config")),
		firstOf(a.env("AWS_SHARED_CREDENTIALS_FILE"), a.home(".aws", "credentials")),
	} {
		data, err := a.file(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var file iniFile
		if err == nil {
			file, err = parseINI(string(data))
		}
		if err != nil {
			return nil, fmt.Errorf("profiles of AWS: %s: %w", name, err)
		}
		for section, pairs := range file {
			if i == 0 {
				section = configProfile(section)
			}
			if all[section] == nil {
				all[section] = map[string]string{}
			}
			for k, v := range pairs {
				all[section][k] = v
			}
		}
	}
	return all, nil
}

// configProfile returns the profile of a section of the config file, where it is called "profile NAME".
func configProfile(section string) string {
	const prefix = "profile "
	switch {
	case section == "default":
		return section
	case len(section) > len(prefix) && section[:len(prefix)] == prefix:
		return section[len(prefix):]
	}
	return "[" + section + "]" // sso-session, services: not profiles
}

func (a *AWS) profile(name string) map[string]string {
	files, err := a.files()
	if err != nil {
		return nil // the credentials report it
	}
	return files[name]
}

// fromProfile returns the credentials of a profile. seen has the profiles that refer to it.
func (a *AWS) fromProfile(ctx context.Context, name string, seen []string) (AWSKeys, error) {
	files, err := a.files()
	if err != nil {
		return AWSKeys{}, err
	}
	p, ok := files[name]
	if !ok {
		if name != "default" {
			return AWSKeys{}, fmt.Errorf("there is no profile %q in the files of AWS", name)
		}
		return AWSKeys{}, ErrNone
	}
	for _, s := range seen {
		if s == name {
			return AWSKeys{}, fmt.Errorf("profile %q of AWS refers to itself by source_profile", name)
		}
	}
	static := AWSKeys{ID: p["aws_access_key_id"], Secret: p["aws_secret_access_key"], Token: p["aws_session_token"]}
	switch role := p["role_arn"]; {
	case role != "" && p["web_identity_token_file"] != "":
		return a.webIdentity(ctx, p["web_identity_token_file"], role, p["role_session_name"])
	case role != "" && p["source_profile"] == name && static.ID != "":
		return a.assume(ctx, static, role, p)
	case role != "" && p["source_profile"] != "":
		source, err := a.fromProfile(ctx, p["source_profile"], append(seen, name))
		if err != nil {
			return AWSKeys{}, err
		}
		return a.assume(ctx, source, role, p)
	case role != "" && p["credential_source"] == "Environment":
		return a.assume(ctx, AWSKeys{ID: a.env("AWS_ACCESS_KEY_ID"), Secret: a.env("AWS_SECRET_ACCESS_KEY"), Token: a.env("AWS_SESSION_TOKEN")}, role, p)
	case role != "" && p["credential_source"] != "":
		get := a.instance
		if p["credential_source"] == "EcsContainer" {
			get = a.container
		}
		source, err := get(ctx)
		if err != nil {
			return AWSKeys{}, err
		}
		return a.assume(ctx, source, role, p)
	case static.ID != "" && static.Secret != "":
		return static, nil
	case p["credential_process"] != "":
		return a.process(ctx, p["credential_process"])
	case p["sso_session"] != "" || p["sso_start_url"] != "":
		return AWSKeys{}, fmt.Errorf("profile %q of AWS uses single sign-on: run aws configure export-credentials --profile %s --format env and set what it prints: %w", name, name, errors.ErrUnsupported)
	}
	return AWSKeys{}, ErrNone
}
