-- expand: columns that older processes leave empty. They see a key as an application, and accept it as one.
-- A key of an organization is an application that only it has, with one token that does not come from OAuth.
ALTER TABLE oauth_applications ADD COLUMN key_of text COLLATE "C", ADD COLUMN key_hint text COLLATE "C", ADD COLUMN key_expires_at timestamptz;
CREATE INDEX oauth_applications_key_of ON oauth_applications (key_of) WHERE key_of IS NOT NULL;
