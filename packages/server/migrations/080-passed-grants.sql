-- Whose a grant is decides what its tokens are worth: a user's are worth that user's present role, and nothing once the user is gone.
-- What was passed on to the owners has no user. So far that was told by the user's absence alone, which whoever deleted an account
-- while the organization was deleted had in common with it.
UPDATE oauth_artifacts a SET user_id = NULL
WHERE a.user_id IS NOT NULL AND EXISTS (SELECT 1 FROM organizations o WHERE o.id = a.organization_id AND NOT o.is_deleted)
  AND NOT EXISTS (SELECT 1 FROM organization_users m WHERE m.organization_id = a.organization_id AND m.user_id = a.user_id);

-- As before, but that the grant says whose the tokens are.
CREATE OR REPLACE FUNCTION give_tokens(given jsonb) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  g record;
  holder text;
BEGIN
  FOR g IN SELECT * FROM jsonb_to_recordset(given) AS r(
    kind text, used text, answer text, grant_id text, organization_id text, oauth_application_id text, now timestamptz,
    access text, scopes text, access_expires_at timestamptz, refresh text, refresh_payload jsonb, refresh_expires_at timestamptz)
  LOOP
    SELECT a.user_id INTO holder FROM oauth_artifacts a
    WHERE a.kind = 'Grant' AND a.id_hash = sha256(convert_to(g.grant_id, 'UTF8')) FOR KEY SHARE;
    IF NOT FOUND THEN
      RETURN NEXT 'used_before';
      CONTINUE;
    END IF;
    UPDATE oauth_artifacts a SET consumed_at = g.now, answer = decode(g.answer, 'base64'), successor_hash = decode(g.refresh, 'hex')
    WHERE a.kind = g.kind AND a.id_hash = decode(g.used, 'hex') AND a.consumed_at IS NULL;
    IF NOT FOUND THEN
      RETURN NEXT 'used_before';
      CONTINUE;
    END IF;
    INSERT INTO access_tokens (token_hash, organization_id, oauth_application_id, user_id, scopes, grant_id, created_at, expires_at)
    SELECT decode(g.access, 'hex'), i.organization_id, i.oauth_application_id, holder, string_to_array(g.scopes, ' '), g.grant_id, g.now, g.access_expires_at
    FROM installations i WHERE i.organization_id = g.organization_id AND i.oauth_application_id = g.oauth_application_id
    AND (holder IS NULL OR EXISTS (SELECT 1 FROM organization_users m WHERE m.organization_id = i.organization_id AND m.user_id = holder));
    IF NOT FOUND THEN
      RETURN NEXT 'not_installed';
      CONTINUE;
    END IF;
    IF g.refresh IS NOT NULL THEN
      INSERT INTO oauth_artifacts (kind, id_hash, grant_id, organization_id, oauth_application_id, user_id, payload, expires_at)
      VALUES ('RefreshToken', decode(g.refresh, 'hex'), g.grant_id, g.organization_id, g.oauth_application_id, holder,
        g.refresh_payload, g.refresh_expires_at);
    END IF;
    RETURN NEXT 'stored';
  END LOOP;
END
$$;
