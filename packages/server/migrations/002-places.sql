CREATE TABLE sites (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  geo jsonb,
  map jsonb,
  phone text COLLATE "C",
  email text COLLATE "C",
  info text COLLATE "C",
  timezone text COLLATE "C" NOT NULL,
  tag_ids text[] COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX sites_sort_name ON sites (organization_id, is_deleted, name, id);
CREATE INDEX sites_sort_created_at ON sites (organization_id, is_deleted, created_at, id);
CREATE INDEX sites_filter_timezone ON sites (organization_id, is_deleted, timezone, created_at, id);
CREATE INDEX sites_filter_tag_ids ON sites USING gin (organization_id, tag_ids);
CREATE INDEX sites_filter_metadata ON sites USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX sites_search ON sites USING gin (organization_id, search_text gin_trgm_ops);

CREATE TABLE devices (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  hardware_id text COLLATE "C",
  product_id text COLLATE "C" NOT NULL,
  revision_id text COLLATE "C",
  gateway_device_id text COLLATE "C",
  input_rules jsonb NOT NULL,
  status jsonb NOT NULL,
  secret_hash bytea,
  tag_ids text[] COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id),
  FOREIGN KEY (organization_id, gateway_device_id) REFERENCES devices (organization_id, id)
);
CREATE INDEX devices_sort_name ON devices (organization_id, is_deleted, name, id);
CREATE INDEX devices_sort_hardware_id ON devices (organization_id, is_deleted, (coalesce(hardware_id, '')), id);
CREATE INDEX devices_sort_created_at ON devices (organization_id, is_deleted, created_at, id);
CREATE INDEX devices_filter_site_id ON devices (organization_id, is_deleted, site_id, created_at, id);
CREATE INDEX devices_filter_hardware_id ON devices (organization_id, is_deleted, hardware_id, created_at, id);
CREATE INDEX devices_filter_product_id ON devices (organization_id, is_deleted, product_id, created_at, id);
CREATE INDEX devices_filter_gateway_device_id ON devices (organization_id, is_deleted, gateway_device_id, created_at, id);
CREATE INDEX devices_filter_tag_ids ON devices USING gin (organization_id, tag_ids);
CREATE INDEX devices_filter_status_online ON devices (organization_id, is_deleted, (status->>'online'), created_at, id);
CREATE INDEX devices_filter_metadata ON devices USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX devices_search ON devices USING gin (organization_id, search_text gin_trgm_ops);
CREATE UNIQUE INDEX devices_hardware_id_key ON devices (organization_id, hardware_id) WHERE NOT is_deleted;
CREATE INDEX devices_input_rules ON devices USING gin (organization_id, input_rules jsonb_path_ops);

CREATE TABLE gadgets (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  actions jsonb NOT NULL,
  states jsonb NOT NULL,
  signals jsonb NOT NULL,
  state_id text COLLATE "C",
  tag_ids text[] COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id),
  FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id)
);
CREATE INDEX gadgets_sort_name ON gadgets (organization_id, is_deleted, name, id);
CREATE INDEX gadgets_sort_created_at ON gadgets (organization_id, is_deleted, created_at, id);
CREATE INDEX gadgets_filter_site_id ON gadgets (organization_id, is_deleted, site_id, created_at, id);
CREATE INDEX gadgets_filter_device_id ON gadgets (organization_id, is_deleted, device_id, created_at, id);
CREATE INDEX gadgets_filter_tag_ids ON gadgets USING gin (organization_id, tag_ids);
CREATE INDEX gadgets_filter_metadata ON gadgets USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX gadgets_search ON gadgets USING gin (organization_id, search_text gin_trgm_ops);

CREATE TABLE gadget_triggers (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  site_id text COLLATE "C" NOT NULL,
  source_type text COLLATE "C" NOT NULL,
  source_gadget_id text COLLATE "C",
  source_state_id text COLLATE "C",
  source_signal_id text COLLATE "C",
  source_schedule_id text COLLATE "C",
  source_schedule_event text COLLATE "C",
  target_gadget_id text COLLATE "C" NOT NULL,
  target_action_id text COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id),
  FOREIGN KEY (organization_id, source_gadget_id) REFERENCES gadgets (organization_id, id),
  FOREIGN KEY (organization_id, source_schedule_id) REFERENCES schedules (organization_id, id),
  FOREIGN KEY (organization_id, target_gadget_id) REFERENCES gadgets (organization_id, id)
);
CREATE INDEX gadget_triggers_sort_created_at ON gadget_triggers (organization_id, is_deleted, created_at, id);
CREATE INDEX gadget_triggers_filter_site_id ON gadget_triggers (organization_id, is_deleted, site_id, created_at, id);
CREATE INDEX gadget_triggers_filter_source_type ON gadget_triggers (organization_id, is_deleted, source_type, created_at, id);
CREATE INDEX gadget_triggers_filter_source_gadget_id ON gadget_triggers (organization_id, is_deleted, source_gadget_id, created_at, id);
CREATE INDEX gadget_triggers_filter_source_schedule_id ON gadget_triggers (organization_id, is_deleted, source_schedule_id, created_at, id);
CREATE INDEX gadget_triggers_filter_source_schedule_event ON gadget_triggers (organization_id, is_deleted, source_schedule_event, created_at, id);
CREATE INDEX gadget_triggers_filter_target_gadget_id ON gadget_triggers (organization_id, is_deleted, target_gadget_id, created_at, id);
CREATE INDEX gadget_triggers_filter_metadata ON gadget_triggers USING gin (organization_id, metadata jsonb_path_ops);
