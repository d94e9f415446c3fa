CREATE TABLE member_groups (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  permissions jsonb NOT NULL,
  tag_ids text[] COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX member_groups_sort_name ON member_groups (organization_id, is_deleted, name, id);
CREATE INDEX member_groups_sort_created_at ON member_groups (organization_id, is_deleted, created_at, id);
CREATE INDEX member_groups_filter_tag_ids ON member_groups USING gin (organization_id, tag_ids);
CREATE INDEX member_groups_filter_metadata ON member_groups USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX member_groups_search ON member_groups USING gin (organization_id, search_text gin_trgm_ops);
CREATE INDEX member_groups_permissions ON member_groups USING gin (organization_id, permissions jsonb_path_ops);

CREATE TABLE cards (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  uid text COLLATE "C",
  printed_code text COLLATE "C",
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX cards_sort_name ON cards (organization_id, is_deleted, (coalesce(name, '')), id);
CREATE INDEX cards_sort_uid ON cards (organization_id, is_deleted, (coalesce(uid, '')), id);
CREATE INDEX cards_sort_printed_code ON cards (organization_id, is_deleted, (coalesce(printed_code, '')), id);
CREATE INDEX cards_sort_created_at ON cards (organization_id, is_deleted, created_at, id);
CREATE INDEX cards_filter_uid ON cards (organization_id, is_deleted, uid, created_at, id);
CREATE INDEX cards_filter_printed_code ON cards (organization_id, is_deleted, printed_code, created_at, id);
CREATE INDEX cards_filter_metadata ON cards USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX cards_search ON cards USING gin (organization_id, search_text gin_trgm_ops);
CREATE UNIQUE INDEX cards_uid_key ON cards (organization_id, uid) WHERE NOT is_deleted;
CREATE UNIQUE INDEX cards_printed_code_key ON cards (organization_id, printed_code) WHERE NOT is_deleted;

CREATE TABLE members (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  external_id text COLLATE "C",
  starts_at timestamptz,
  ends_at timestamptz,
  auto_delete_at timestamptz,
  tag_ids text[] COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX members_sort_name ON members (organization_id, is_deleted, (coalesce(name, '')), id);
CREATE INDEX members_sort_starts_at ON members (organization_id, is_deleted, (coalesce(starts_at, '-infinity')), id);
CREATE INDEX members_sort_ends_at ON members (organization_id, is_deleted, (coalesce(ends_at, '-infinity')), id);
CREATE INDEX members_sort_created_at ON members (organization_id, is_deleted, created_at, id);
CREATE INDEX members_sort_metadata_source ON members (organization_id, is_deleted, (coalesce(metadata->>'source', '')), id);
CREATE INDEX members_sort_metadata_sourceid ON members (organization_id, is_deleted, (coalesce(metadata->>'sourceID', '')), id);
CREATE INDEX members_filter_external_id ON members (organization_id, is_deleted, external_id, created_at, id);
CREATE INDEX members_filter_tag_ids ON members USING gin (organization_id, tag_ids);
CREATE INDEX members_filter_metadata ON members USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX members_search ON members USING gin (organization_id, search_text gin_trgm_ops);
CREATE UNIQUE INDEX members_external_id_key ON members (organization_id, external_id) WHERE external_id IS NOT NULL;
-- The job that deletes members a day after their end finds them here, over all organizations.
CREATE INDEX members_auto_delete ON members (auto_delete_at) WHERE NOT is_deleted AND auto_delete_at IS NOT NULL;

CREATE TABLE member_emails (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
);
CREATE INDEX member_emails_sort_email ON member_emails (organization_id, is_deleted, email, id);
CREATE INDEX member_emails_sort_created_at ON member_emails (organization_id, is_deleted, created_at, id);
CREATE INDEX member_emails_filter_member_id ON member_emails (organization_id, is_deleted, member_id, created_at, id);
CREATE INDEX member_emails_filter_metadata ON member_emails USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX member_emails_search ON member_emails USING gin (organization_id, search_text gin_trgm_ops);
CREATE UNIQUE INDEX member_emails_email_key_key ON member_emails (organization_id, member_id, email_key) WHERE NOT is_deleted;
CREATE INDEX member_emails_email_key ON member_emails (organization_id, email_key, member_id) WHERE NOT is_deleted;

CREATE TABLE member_magic_links (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  secret_ciphertext bytea NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
);
CREATE INDEX member_magic_links_sort_created_at ON member_magic_links (organization_id, is_deleted, created_at, id);
CREATE INDEX member_magic_links_filter_member_id ON member_magic_links (organization_id, is_deleted, member_id, created_at, id);
CREATE INDEX member_magic_links_filter_metadata ON member_magic_links USING gin (organization_id, metadata jsonb_path_ops);
-- A link carries the id of its record, whatever the organization.
CREATE UNIQUE INDEX member_magic_links_id_key ON member_magic_links (id);

CREATE TABLE member_pins (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  length integer NOT NULL,
  pin_ciphertext bytea NOT NULL,
  pin_hash bytea NOT NULL,
  is_claimed boolean NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
);
CREATE INDEX member_pins_sort_created_at ON member_pins (organization_id, is_deleted, created_at, id);
CREATE INDEX member_pins_filter_member_id ON member_pins (organization_id, is_deleted, member_id, created_at, id);
CREATE INDEX member_pins_filter_metadata ON member_pins USING gin (organization_id, metadata jsonb_path_ops);
-- A PIN is taken only while it and its member live; deleting the member releases it, restoring claims it again.
CREATE UNIQUE INDEX member_pins_pin_hash_key ON member_pins (organization_id, pin_hash) WHERE is_claimed;
CREATE INDEX member_pins_claimed_length ON member_pins (organization_id, length) WHERE is_claimed;

CREATE TABLE member_cards (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  card_id text COLLATE "C" NOT NULL,
  is_claimed boolean NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id),
  FOREIGN KEY (organization_id, card_id) REFERENCES cards (organization_id, id)
);
CREATE INDEX member_cards_sort_created_at ON member_cards (organization_id, is_deleted, created_at, id);
CREATE INDEX member_cards_filter_member_id ON member_cards (organization_id, is_deleted, member_id, created_at, id);
CREATE INDEX member_cards_filter_card_id ON member_cards (organization_id, is_deleted, card_id, created_at, id);
CREATE INDEX member_cards_filter_metadata ON member_cards USING gin (organization_id, metadata jsonb_path_ops);
CREATE UNIQUE INDEX member_cards_card_id_key ON member_cards (organization_id, card_id) WHERE is_claimed;

CREATE TABLE member_tokens (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
);
CREATE INDEX member_tokens_sort_created_at ON member_tokens (organization_id, is_deleted, created_at, id);
CREATE INDEX member_tokens_filter_member_id ON member_tokens (organization_id, is_deleted, member_id, created_at, id);
CREATE INDEX member_tokens_filter_metadata ON member_tokens USING gin (organization_id, metadata jsonb_path_ops);
CREATE UNIQUE INDEX member_tokens_token_hash_key ON member_tokens (token_hash);

CREATE TABLE member_group_associations (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  member_group_id text COLLATE "C" NOT NULL,
  starts_at timestamptz,
  ends_at timestamptz,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id),
  FOREIGN KEY (organization_id, member_group_id) REFERENCES member_groups (organization_id, id)
);
CREATE INDEX member_group_associations_sort_starts_at ON member_group_associations (organization_id, is_deleted, (coalesce(starts_at, '-infinity')), id);
CREATE INDEX member_group_associations_sort_ends_at ON member_group_associations (organization_id, is_deleted, (coalesce(ends_at, '-infinity')), id);
CREATE INDEX member_group_associations_sort_created_at ON member_group_associations (organization_id, is_deleted, created_at, id);
CREATE INDEX member_group_associations_filter_member_id ON member_group_associations (organization_id, is_deleted, member_id, created_at, id);
CREATE INDEX member_group_associations_filter_member_group_id ON member_group_associations (organization_id, is_deleted, member_group_id, created_at, id);
CREATE INDEX member_group_associations_filter_metadata ON member_group_associations USING gin (organization_id, metadata jsonb_path_ops);

-- Cards the operator has in stock: an organization adopts one by its id.
CREATE TABLE card_stock (
  id text COLLATE "C" PRIMARY KEY,
  uid text COLLATE "C",
  printed_code text COLLATE "C",
  organization_id text COLLATE "C" REFERENCES organizations (id),
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX card_stock_uid_key ON card_stock (uid);
CREATE UNIQUE INDEX card_stock_printed_code_key ON card_stock (printed_code);
