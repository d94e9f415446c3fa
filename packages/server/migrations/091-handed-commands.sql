-- A command that comes from another process is marked before it is handed to its device. What nobody marked was never sent, and
-- can be taken back: so a process that is gone is found out at once.
ALTER TABLE device_commands ADD COLUMN handed_at timestamptz;
-- What a process understands: 2 marks commands before it hands them on.
ALTER TABLE device_processes ADD COLUMN speaks integer NOT NULL DEFAULT 1;
