-- A token counts only together with its organization, application and installation, which every lookup joins. References
-- would lock the same few rows for every token that is given, and those locks cost more than all the rest.
ALTER TABLE access_tokens
  DROP CONSTRAINT access_tokens_organization_id_fkey,
  DROP CONSTRAINT access_tokens_oauth_application_id_fkey,
  DROP CONSTRAINT access_tokens_user_id_fkey;

-- Codes and refresh tokens are used up in place: with room on their page, no index needs to know.
ALTER TABLE oauth_artifacts SET (fillfactor = 60);

-- Gives tokens for codes and refresh tokens, each used up together with what was given for it, or not at all. Of any
-- number of requests with the same one, the first succeeds. The grant is held meanwhile: whoever takes it back waits for
-- what is under way and then revokes that too. Answers in the order of what is given: stored, used_before, not_installed.
-- A function, so that all requests of a moment take one round trip and wait for the disk once.
CREATE FUNCTION give_tokens(given jsonb) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  g record;
BEGIN
  FOR g IN SELECT * FROM jsonb_to_recordset(given) AS r(
    kind text, used text, answer text, grant_id text, user_id text, organization_id text, oauth_application_id text, now timestamptz,
    access text, scopes text, access_expires_at timestamptz, refresh text, refresh_payload jsonb, refresh_expires_at timestamptz)
  LOOP
    PERFORM 1 FROM oauth_artifacts a WHERE a.kind = 'Grant' AND a.id_hash = sha256(convert_to(g.grant_id, 'UTF8')) FOR KEY SHARE;
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
    SELECT decode(g.access, 'hex'), i.organization_id, i.oauth_application_id, m.user_id, string_to_array(g.scopes, ' '), g.grant_id, g.now, g.access_expires_at
    FROM installations i LEFT JOIN organization_users m ON m.organization_id = i.organization_id AND m.user_id = g.user_id
    WHERE i.organization_id = g.organization_id AND i.oauth_application_id = g.oauth_application_id;
    IF NOT FOUND THEN
      RETURN NEXT 'not_installed';
      CONTINUE;
    END IF;
    IF g.refresh IS NOT NULL THEN
      INSERT INTO oauth_artifacts (kind, id_hash, grant_id, organization_id, oauth_application_id, user_id, payload, expires_at)
      VALUES ('RefreshToken', decode(g.refresh, 'hex'), g.grant_id, g.organization_id, g.oauth_application_id, g.user_id,
        g.refresh_payload, g.refresh_expires_at);
    END IF;
    RETURN NEXT 'stored';
  END LOOP;
END
$$;
