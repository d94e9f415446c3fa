-- expand: a table that the version before neither reads nor writes.
-- What is wrong with the installation itself. Its operator is told; organizations do not see it.
CREATE TABLE instance_alarms (
  id text COLLATE "C" PRIMARY KEY,
  type text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  -- The machine or the name that it is about.
  place text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  -- How far it has come. The operator is mailed again when this changes.
  stage text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL,
  -- When a process last found it.
  seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- When the operator is to be mailed, and when that was last tried.
  mail_due_at timestamptz,
  mailed_at timestamptz,
  mail_failures integer NOT NULL DEFAULT 0
);
-- One of each is on, however many processes find it.
CREATE UNIQUE INDEX instance_alarms_on ON instance_alarms (type, reason, place) WHERE ended_at IS NULL;
CREATE INDEX instance_alarms_started_at ON instance_alarms (started_at, id);
CREATE INDEX instance_alarms_mail_due_at ON instance_alarms (mail_due_at) WHERE mail_due_at IS NOT NULL;
