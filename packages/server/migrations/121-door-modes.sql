-- expand: tables of their own, and a column that the version before neither reads nor writes.
-- What sets the modes of doors: unlock rules, overrides, emergencies, fire inputs; and what devices report of them.
CREATE TABLE unlock_rules (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  gadget_ids text[] COLLATE "C" NOT NULL,
  schedule_id text COLLATE "C" NOT NULL,
  first_person jsonb,
  last_person_signal jsonb,
  is_enabled boolean NOT NULL,
  arrivals jsonb NOT NULL,
  departures jsonb NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id),
  FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules (organization_id, id)
);
CREATE INDEX unlock_rules_sort_name ON unlock_rules (organization_id, is_deleted, name, id);
CREATE INDEX unlock_rules_sort_created_at ON unlock_rules (organization_id, is_deleted, created_at, id);
CREATE INDEX unlock_rules_filter_site_id ON unlock_rules (organization_id, is_deleted, site_id, created_at, id);
CREATE INDEX unlock_rules_filter_schedule_id ON unlock_rules (organization_id, is_deleted, schedule_id, created_at, id);
CREATE INDEX unlock_rules_filter_metadata ON unlock_rules USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX unlock_rules_search ON unlock_rules USING gin (organization_id, search_text gin_trgm_ops);
-- Rules that remember who came or left, over all organizations: what no longer matters is forgotten.
CREATE INDEX unlock_rules_remembering ON unlock_rules (organization_id, id) WHERE arrivals <> '[]' OR departures <> '[]';

CREATE TABLE emergency_plans (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  targets jsonb NOT NULL,
  exempt_member_group_ids text[] COLLATE "C" NOT NULL,
  unlocked_gadget_ids text[] COLLATE "C" NOT NULL,
  offline_hold_seconds integer,
  ends_after_seconds integer,
  control_gadget_id text COLLATE "C",
  trigger jsonb,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, control_gadget_id) REFERENCES gadgets (organization_id, id)
);
CREATE INDEX emergency_plans_sort_name ON emergency_plans (organization_id, is_deleted, name, id);
CREATE INDEX emergency_plans_sort_created_at ON emergency_plans (organization_id, is_deleted, created_at, id);
CREATE INDEX emergency_plans_filter_type ON emergency_plans (organization_id, is_deleted, type, created_at, id);
CREATE INDEX emergency_plans_filter_control_gadget_id ON emergency_plans (organization_id, is_deleted, control_gadget_id, created_at, id);
CREATE INDEX emergency_plans_filter_metadata ON emergency_plans USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX emergency_plans_search ON emergency_plans USING gin (organization_id, search_text gin_trgm_ops);

CREATE TABLE emergencies (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  emergency_plan_id text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  targets jsonb NOT NULL,
  exempt_member_group_ids text[] COLLATE "C" NOT NULL,
  unlocked_gadget_ids text[] COLLATE "C" NOT NULL,
  offline_hold_seconds integer,
  reason text COLLATE "C",
  is_drill boolean NOT NULL,
  started_at timestamptz NOT NULL,
  ends_at timestamptz,
  ended_at timestamptz,
  end_reason text COLLATE "C",
  is_active boolean NOT NULL,
  renewed_at timestamptz NOT NULL,
  final_gadget_count integer,
  final_cannot_count integer,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, emergency_plan_id) REFERENCES emergency_plans (organization_id, id)
);
CREATE INDEX emergencies_sort_name ON emergencies (organization_id, is_deleted, name, id);
CREATE INDEX emergencies_sort_created_at ON emergencies (organization_id, is_deleted, created_at, id);
CREATE INDEX emergencies_sort_started_at ON emergencies (organization_id, is_deleted, started_at, id);
CREATE INDEX emergencies_filter_ends_at ON emergencies (organization_id, is_deleted, (coalesce(ends_at, '-infinity')), created_at, id);
CREATE INDEX emergencies_filter_ended_at ON emergencies (organization_id, is_deleted, (coalesce(ended_at, '-infinity')), created_at, id);
CREATE INDEX emergencies_filter_emergency_plan_id ON emergencies (organization_id, is_deleted, emergency_plan_id, created_at, id);
CREATE INDEX emergencies_filter_type ON emergencies (organization_id, is_deleted, type, created_at, id);
CREATE INDEX emergencies_filter_is_active ON emergencies (organization_id, is_deleted, is_active, created_at, id);
CREATE INDEX emergencies_filter_metadata ON emergencies USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX emergencies_search ON emergencies USING gin (organization_id, search_text gin_trgm_ops);
-- The few that are active, over all organizations: they are renewed, and ended when it is time.
CREATE INDEX emergencies_active ON emergencies (organization_id, id) WHERE ended_at IS NULL;

-- At most one for each gadget, whose id it has. One that was removed stays as deleted.
CREATE TABLE overrides (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  lasts text COLLATE "C" NOT NULL,
  until timestamptz,
  set_at timestamptz NOT NULL,
  -- Who set it, as events tell it, and why.
  set_by jsonb NOT NULL,
  reason text COLLATE "C",
  is_deleted boolean NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, id) REFERENCES gadgets (organization_id, id)
);
CREATE INDEX overrides_until ON overrides (until) WHERE NOT is_deleted AND until IS NOT NULL;
CREATE INDEX overrides_until_turn ON overrides (organization_id, id) WHERE NOT is_deleted AND lasts = 'until_turn';

-- What the device of a door last reported: the mode it has driven, by which version of its policy, and how that went.
CREATE TABLE door_modes (
  organization_id text COLLATE "C" NOT NULL,
  gadget_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  version bigint,
  mode text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  since timestamptz,
  unlock_rule_id text COLLATE "C",
  emergency_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  outcome text COLLATE "C" NOT NULL,
  cause text COLLATE "C",
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, gadget_id)
);
CREATE INDEX door_modes_emergency_ids ON door_modes USING gin (organization_id, emergency_ids);

ALTER TABLE sites ADD COLUMN fire jsonb;

CREATE INDEX events_filter_object_unlock_rule_id ON ONLY events (organization_id, (object->>'unlock_rule_id'), created_at, id) WHERE (object->>'unlock_rule_id') IS NOT NULL;
CREATE INDEX events_filter_object_emergency_plan_id ON ONLY events (organization_id, (object->>'emergency_plan_id'), created_at, id) WHERE (object->>'emergency_plan_id') IS NOT NULL;
CREATE INDEX events_filter_object_emergency_id ON ONLY events (organization_id, (object->>'emergency_id'), created_at, id) WHERE (object->>'emergency_id') IS NOT NULL;

-- When a device was last lost. Whether it is connected says its status.
ALTER TABLE devices ADD COLUMN offline_since timestamptz;
