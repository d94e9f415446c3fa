-- What virtual devices remember between two requests, as a real one does on its disk. A virtual device without a row is
-- online, has no fault and has typed nothing.
CREATE TABLE virtual_devices (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  is_online boolean NOT NULL DEFAULT true,
  fault text COLLATE "C",
  fault_until timestamptz,
  -- What was typed, and the pause after wrong PINs.
  keypad jsonb,
  keypad_pause jsonb,
  -- Up to when schedules have set off what they had to.
  schedules_seen_at timestamptz,
  -- While offline: the policy it had when it lost the network, the states of its gadgets, and what it has yet to report.
  slice jsonb,
  states jsonb,
  journal jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (organization_id, device_id),
  FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id)
);
CREATE INDEX virtual_devices_fault_until ON virtual_devices (fault_until) WHERE fault_until IS NOT NULL;

-- Schedules set off virtual gadgets inside the service.
CREATE INDEX gadget_triggers_schedule ON gadget_triggers (organization_id, target_gadget_id)
  WHERE source_type = 'schedule' AND NOT is_deleted;
