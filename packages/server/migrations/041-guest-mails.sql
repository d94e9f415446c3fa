-- Invitations on their way to guests. Secrets are read when the mail is written, never kept here.
CREATE TABLE guest_mails (
  id text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  member_email_id text COLLATE "C" NOT NULL,
  language text COLLATE "C" NOT NULL,
  attempts integer NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
);
CREATE INDEX guest_mails_due_at ON guest_mails (due_at);
CREATE INDEX guest_mails_member_id ON guest_mails (organization_id, member_id);
