-- Where a member is signed in, by link or by email. Only the SHA-256 of the token is kept.
CREATE TABLE member_sessions (
  id text COLLATE "C" PRIMARY KEY,
  token_hash bytea NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  member_magic_link_id text COLLATE "C",
  member_email_id text COLLATE "C",
  ip_address text COLLATE "C",
  user_agent text COLLATE "C",
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK (num_nonnulls(member_magic_link_id, member_email_id) = 1),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
);
CREATE UNIQUE INDEX member_sessions_token_hash_key ON member_sessions (token_hash);
CREATE INDEX member_sessions_member_id ON member_sessions (organization_id, member_id);
CREATE INDEX member_sessions_expires_at ON member_sessions (expires_at);

-- An address that has shown its code and may now become one of its members.
CREATE TABLE member_tickets (
  ticket_hash bytea PRIMARY KEY,
  email_key text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX member_tickets_expires_at ON member_tickets (expires_at);

ALTER TABLE mail_codes DROP CONSTRAINT mail_codes_purpose_check;
ALTER TABLE mail_codes ADD CONSTRAINT mail_codes_purpose_check CHECK (purpose IN ('sign_up', 'reset', 'guest'));

-- A guest's address is looked up over all organizations. As an expression, so that lists of one organization keep to
-- their own index, which leads with it.
CREATE INDEX member_emails_anywhere ON member_emails (lower(email_key)) WHERE NOT is_deleted;

ALTER TABLE members ADD COLUMN language text COLLATE "C";
CREATE INDEX members_filter_language ON members (organization_id, is_deleted, language, created_at, id);
