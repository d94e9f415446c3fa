-- expand: columns with defaults. The version before neither shows nor changes them, and goes on deciding as if nothing were suspended.
-- Members, credentials and the inputs of devices that are set aside for a while, by whom the events say.
ALTER TABLE members ADD COLUMN is_suspended boolean NOT NULL DEFAULT false, ADD COLUMN suspended_until timestamptz, ADD COLUMN suspended_reason text COLLATE "C";
ALTER TABLE member_emails ADD COLUMN is_suspended boolean NOT NULL DEFAULT false, ADD COLUMN suspended_until timestamptz, ADD COLUMN suspended_reason text COLLATE "C";
ALTER TABLE member_magic_links ADD COLUMN is_suspended boolean NOT NULL DEFAULT false, ADD COLUMN suspended_until timestamptz, ADD COLUMN suspended_reason text COLLATE "C";
ALTER TABLE member_pins ADD COLUMN is_suspended boolean NOT NULL DEFAULT false, ADD COLUMN suspended_until timestamptz, ADD COLUMN suspended_reason text COLLATE "C";
ALTER TABLE member_cards ADD COLUMN is_suspended boolean NOT NULL DEFAULT false, ADD COLUMN suspended_until timestamptz, ADD COLUMN suspended_reason text COLLATE "C";
ALTER TABLE member_tokens ADD COLUMN is_suspended boolean NOT NULL DEFAULT false, ADD COLUMN suspended_until timestamptz, ADD COLUMN suspended_reason text COLLATE "C";
ALTER TABLE devices ADD COLUMN is_suspended boolean NOT NULL DEFAULT false, ADD COLUMN suspended_until timestamptz, ADD COLUMN suspended_reason text COLLATE "C";

CREATE INDEX members_filter_is_suspended ON members (organization_id, is_deleted, is_suspended, created_at, id);
CREATE INDEX devices_filter_is_suspended ON devices (organization_id, is_deleted, is_suspended, created_at, id);

-- Those that end by themselves, over all organizations. Few are suspended at a time.
CREATE INDEX members_suspended_until ON members (suspended_until) WHERE is_suspended AND suspended_until IS NOT NULL;
CREATE INDEX member_emails_suspended_until ON member_emails (suspended_until) WHERE is_suspended AND suspended_until IS NOT NULL;
CREATE INDEX member_magic_links_suspended_until ON member_magic_links (suspended_until) WHERE is_suspended AND suspended_until IS NOT NULL;
CREATE INDEX member_pins_suspended_until ON member_pins (suspended_until) WHERE is_suspended AND suspended_until IS NOT NULL;
CREATE INDEX member_cards_suspended_until ON member_cards (suspended_until) WHERE is_suspended AND suspended_until IS NOT NULL;
CREATE INDEX member_tokens_suspended_until ON member_tokens (suspended_until) WHERE is_suspended AND suspended_until IS NOT NULL;
CREATE INDEX devices_suspended_until ON devices (suspended_until) WHERE is_suspended AND suspended_until IS NOT NULL;
