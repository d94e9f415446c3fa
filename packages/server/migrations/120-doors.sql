-- expand: columns that older processes leave empty.
-- What the actions, states and signals of a gadget mean, if it is a door.
ALTER TABLE gadgets ADD COLUMN door jsonb;

-- Virtual doors that stand open: when each of them closes by itself, or null while it is held open.
ALTER TABLE virtual_devices ADD COLUMN open_doors jsonb NOT NULL DEFAULT '{}', ADD COLUMN closes_at timestamptz;
CREATE INDEX virtual_devices_closes_at ON virtual_devices (closes_at) WHERE closes_at IS NOT NULL;
