-- A ticket may stand for a user's session in place of an access token; then it names the organization, too.
ALTER TABLE stream_tickets ADD COLUMN organization_id text;
