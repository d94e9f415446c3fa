-- Replaced by one that answers the next number when a dump is restored into another cluster, see store/migrate.ts.
CREATE FUNCTION feed_epoch() RETURNS integer IMMUTABLE LANGUAGE sql AS 'SELECT 1';

-- Partitioned by the time of recording: old months are dropped whole, and the indexes in use stay small.
-- (epoch, transaction_id, sequence) is the order of the feed, see events/feed.ts.
CREATE TABLE events (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  subject jsonb NOT NULL,
  verb text COLLATE "C" NOT NULL,
  object jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  clock_adjusted boolean NOT NULL,
  epoch integer NOT NULL DEFAULT feed_epoch(),
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (organization_id, id, recorded_at)
) PARTITION BY RANGE (recorded_at);

CREATE TABLE events_default PARTITION OF events DEFAULT;

CREATE INDEX events_feed ON events (epoch, transaction_id, sequence);
CREATE INDEX events_organization_feed ON events (organization_id, epoch, transaction_id, sequence);
CREATE INDEX events_sort_created_at ON events (organization_id, created_at, id);
CREATE INDEX events_sort_recorded_at ON events (organization_id, recorded_at, id);
CREATE INDEX events_filter_verb ON events (organization_id, verb, created_at, id);
CREATE INDEX events_filter_subject_member_id ON events (organization_id, (subject->>'member_id'), created_at, id) WHERE (subject->>'member_id') IS NOT NULL;
CREATE INDEX events_filter_subject_member_email_id ON events (organization_id, (subject->>'member_email_id'), created_at, id) WHERE (subject->>'member_email_id') IS NOT NULL;
CREATE INDEX events_filter_subject_member_magic_link_id ON events (organization_id, (subject->>'member_magic_link_id'), created_at, id) WHERE (subject->>'member_magic_link_id') IS NOT NULL;
CREATE INDEX events_filter_subject_member_pin_id ON events (organization_id, (subject->>'member_pin_id'), created_at, id) WHERE (subject->>'member_pin_id') IS NOT NULL;
CREATE INDEX events_filter_subject_member_card_id ON events (organization_id, (subject->>'member_card_id'), created_at, id) WHERE (subject->>'member_card_id') IS NOT NULL;
CREATE INDEX events_filter_subject_member_token_id ON events (organization_id, (subject->>'member_token_id'), created_at, id) WHERE (subject->>'member_token_id') IS NOT NULL;
CREATE INDEX events_filter_subject_user_id ON events (organization_id, (subject->>'user_id'), created_at, id) WHERE (subject->>'user_id') IS NOT NULL;
CREATE INDEX events_filter_subject_oauth_application_id ON events (organization_id, (subject->>'oauth_application_id'), created_at, id) WHERE (subject->>'oauth_application_id') IS NOT NULL;
CREATE INDEX events_filter_object_organization_id ON events (organization_id, (object->>'organization_id'), created_at, id) WHERE (object->>'organization_id') IS NOT NULL;
CREATE INDEX events_filter_object_device_id ON events (organization_id, (object->>'device_id'), created_at, id) WHERE (object->>'device_id') IS NOT NULL;
CREATE INDEX events_filter_object_gadget_id ON events (organization_id, (object->>'gadget_id'), created_at, id) WHERE (object->>'gadget_id') IS NOT NULL;
CREATE INDEX events_filter_object_gadget_trigger_id ON events (organization_id, (object->>'gadget_trigger_id'), created_at, id) WHERE (object->>'gadget_trigger_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_id ON events (organization_id, (object->>'member_id'), created_at, id) WHERE (object->>'member_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_email_id ON events (organization_id, (object->>'member_email_id'), created_at, id) WHERE (object->>'member_email_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_magic_link_id ON events (organization_id, (object->>'member_magic_link_id'), created_at, id) WHERE (object->>'member_magic_link_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_group_id ON events (organization_id, (object->>'member_group_id'), created_at, id) WHERE (object->>'member_group_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_group_association_id ON events (organization_id, (object->>'member_group_association_id'), created_at, id) WHERE (object->>'member_group_association_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_pin_id ON events (organization_id, (object->>'member_pin_id'), created_at, id) WHERE (object->>'member_pin_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_card_id ON events (organization_id, (object->>'member_card_id'), created_at, id) WHERE (object->>'member_card_id') IS NOT NULL;
CREATE INDEX events_filter_object_member_token_id ON events (organization_id, (object->>'member_token_id'), created_at, id) WHERE (object->>'member_token_id') IS NOT NULL;
CREATE INDEX events_filter_object_site_id ON events (organization_id, (object->>'site_id'), created_at, id) WHERE (object->>'site_id') IS NOT NULL;
CREATE INDEX events_filter_object_schedule_id ON events (organization_id, (object->>'schedule_id'), created_at, id) WHERE (object->>'schedule_id') IS NOT NULL;
CREATE INDEX events_filter_object_card_id ON events (organization_id, (object->>'card_id'), created_at, id) WHERE (object->>'card_id') IS NOT NULL;
CREATE INDEX events_filter_object_webhook_id ON events (organization_id, (object->>'webhook_id'), created_at, id) WHERE (object->>'webhook_id') IS NOT NULL;
CREATE INDEX events_filter_object_tag_id ON events (organization_id, (object->>'tag_id'), created_at, id) WHERE (object->>'tag_id') IS NOT NULL;
CREATE INDEX events_filter_object_user_id ON events (organization_id, (object->>'user_id'), created_at, id) WHERE (object->>'user_id') IS NOT NULL;
CREATE INDEX events_filter_object_oauth_application_id ON events (organization_id, (object->>'oauth_application_id'), created_at, id) WHERE (object->>'oauth_application_id') IS NOT NULL;
CREATE INDEX events_filter_object_gadget_action_id ON events (organization_id, (object->>'gadget_action_id'), created_at, id) WHERE (object->>'gadget_action_id') IS NOT NULL;
CREATE INDEX events_filter_object_gadget_state_id ON events (organization_id, (object->>'gadget_state_id'), created_at, id) WHERE (object->>'gadget_state_id') IS NOT NULL;
CREATE INDEX events_filter_object_gadget_signal_id ON events (organization_id, (object->>'gadget_signal_id'), created_at, id) WHERE (object->>'gadget_signal_id') IS NOT NULL;
CREATE INDEX events_filter_object_hardware_id ON events (organization_id, (object->>'hardware_id'), created_at, id) WHERE (object->>'hardware_id') IS NOT NULL;
CREATE INDEX events_filter_subject_access_method ON events (organization_id, (subject->>'access_method'), created_at, id) WHERE (subject->>'access_method') IS NOT NULL;
CREATE INDEX events_filter_object_type ON events (organization_id, (object->>'type'), created_at, id);

-- Makes the partition of one month, unless it is there. Writers never wait for it: it is made months ahead.
CREATE FUNCTION make_event_partition(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  name text := 'events_' || to_char(first, 'YYYY_MM');
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('make_event_partition'));
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format(
    'CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
    name, first::text || ' 00:00:00+00', (first + interval '1 month')::date::text || ' 00:00:00+00'
  );
END $$;

CREATE TABLE webhooks (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  filter jsonb NOT NULL,
  expand text[] COLLATE "C" NOT NULL,
  is_enabled boolean NOT NULL,
  oauth_application_id text COLLATE "C" NOT NULL,
  secret_ciphertext bytea NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (oauth_application_id) REFERENCES oauth_applications (id)
);
CREATE INDEX webhooks_sort_created_at ON webhooks (organization_id, is_deleted, created_at, id);
CREATE INDEX webhooks_filter_metadata ON webhooks USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX webhooks_filter_oauth_application_id ON webhooks (organization_id, is_deleted, oauth_application_id, created_at, id);

-- Answers to requests that carried an Idempotency-Key, kept for a day, encrypted: they may hold a PIN.
CREATE TABLE idempotency_keys (
  organization_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint bytea NOT NULL,
  answer bytea,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, owner_id, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- How far each consumer of the feed has come.
CREATE TABLE feed_cursors (
  consumer text COLLATE "C" PRIMARY KEY,
  position text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL
);
