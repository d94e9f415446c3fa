-- Groups whose members a device was ever sent: it may tell of their PINs and cards, also when it comes back after they were taken from it.
CREATE TABLE device_groups (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  member_group_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, device_id, member_group_id),
  FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id)
);
