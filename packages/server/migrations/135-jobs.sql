-- expand: tables and an index that the version before neither reads nor writes. Jobs: work on many objects.
CREATE TABLE jobs (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  progress jsonb NOT NULL,
  summary jsonb NOT NULL,
  is_dry_run boolean NOT NULL,
  parent_job_id text COLLATE "C",
  undo_of_job_id text COLLATE "C",
  can_start_until timestamptz,
  can_undo_until timestamptz,
  created_by jsonb NOT NULL,
  started_at timestamptz,
  ended_at timestamptz,
  estimated_end_at timestamptz,
  error jsonb,
  notices text[] COLLATE "C" NOT NULL,
  files jsonb NOT NULL,
  settings jsonb NOT NULL,
  cursor jsonb,
  maker jsonb NOT NULL,
  -- Null once its rows and files are removed.
  key_ciphertext bytea,
  input_job_id text COLLATE "C",
  is_canceling boolean NOT NULL,
  failure_count integer NOT NULL,
  owner text COLLATE "C",
  owned_until timestamptz,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX jobs_sort_created_at ON jobs (organization_id, is_deleted, created_at, id);
CREATE INDEX jobs_filter_type ON jobs (organization_id, is_deleted, type, created_at, id);
CREATE INDEX jobs_filter_state ON jobs (organization_id, is_deleted, state, created_at, id);
CREATE INDEX jobs_filter_is_dry_run ON jobs (organization_id, is_deleted, is_dry_run, created_at, id) WHERE is_dry_run;
CREATE INDEX jobs_filter_parent_job_id ON jobs (organization_id, is_deleted, parent_job_id, created_at, id) WHERE parent_job_id IS NOT NULL;
CREATE INDEX jobs_filter_undo_of_job_id ON jobs (organization_id, is_deleted, undo_of_job_id, created_at, id) WHERE undo_of_job_id IS NOT NULL;
CREATE INDEX jobs_filter_started_at ON jobs (organization_id, is_deleted, coalesce(started_at, '-infinity'), id);
CREATE INDEX jobs_filter_ended_at ON jobs (organization_id, is_deleted, coalesce(ended_at, '-infinity'), id);
CREATE INDEX jobs_filter_created_by_user_id ON jobs (organization_id, is_deleted, (created_by->>'user_id'), created_at, id) WHERE (created_by->>'user_id') IS NOT NULL;
CREATE INDEX jobs_filter_created_by_oauth_application_id ON jobs (organization_id, is_deleted, (created_by->>'oauth_application_id'), created_at, id) WHERE (created_by->>'oauth_application_id') IS NOT NULL;
CREATE INDEX jobs_filter_metadata ON jobs USING gin (organization_id, metadata jsonb_path_ops);
-- What runners look for: those to go on with, and those to begin, of all organizations.
CREATE INDEX jobs_unfinished ON jobs (state, created_at) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_awaiting ON jobs (can_start_until) WHERE state = 'awaiting';
CREATE INDEX jobs_ended_at ON jobs (ended_at);
CREATE INDEX jobs_sealed ON jobs (ended_at) WHERE key_ciphertext IS NOT NULL;

-- What became of each row of a job, and how the object was before, encrypted with the key of the job.
CREATE TABLE job_rows (
  organization_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  object_id text COLLATE "C",
  etag text COLLATE "C",
  detail_ciphertext bytea,
  PRIMARY KEY (organization_id, job_id, number)
);
-- To find the row of an object.
CREATE INDEX job_rows_object_id ON job_rows (organization_id, job_id, object_id) WHERE object_id IS NOT NULL;

-- What was sent to a job, in chunks, encrypted with the key of the job. It comes before the job itself.
CREATE TABLE job_inputs (
  organization_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  ciphertext bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, job_id, number)
);
CREATE INDEX job_inputs_created_at ON job_inputs (created_at);

-- What a job has written, in chunks, encrypted with the key of the job.
CREATE TABLE job_files (
  organization_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  bytes integer NOT NULL,
  ciphertext bytea NOT NULL,
  -- Null until the job has ended.
  expires_at timestamptz,
  PRIMARY KEY (organization_id, job_id, name, number)
);
CREATE INDEX job_files_expires_at ON job_files (expires_at);
-- Compressing what is encrypted takes time and gains nothing.
ALTER TABLE job_inputs ALTER COLUMN ciphertext SET STORAGE EXTERNAL;
ALTER TABLE job_files ALTER COLUMN ciphertext SET STORAGE EXTERNAL;

CREATE INDEX events_filter_object_job_id ON ONLY events (organization_id, (object->>'job_id'), created_at, id) WHERE (object->>'job_id') IS NOT NULL;
