-- expand: `gatehouse login` (RFC 8628): an application for the command on every installation, and codes that people type.
INSERT INTO oauth_applications (id, name, is_public, requires_pkce, created_at)
VALUES ('app_00000000000gatehcmd0', 'Gatehouse command', true, true, '2026-01-01T00:00:00Z') ON CONFLICT (id) DO NOTHING;

-- When a waiting terminal asked last, and how many seconds it has to leave in between.
ALTER TABLE oauth_artifacts ADD COLUMN polled_at timestamptz, ADD COLUMN poll_seconds integer;
CREATE UNIQUE INDEX oauth_artifacts_user_code ON oauth_artifacts ((payload ->> 'userCode')) WHERE kind = 'DeviceCode';
