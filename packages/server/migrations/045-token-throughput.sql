-- A token counts only together with its organization, application and installation, which every lookup joins. References
-- would lock the same few rows for every token that is given, and those locks cost more than all the rest.
ALTER TABLE access_tokens
  DROP CONSTRAINT access_tokens_organization_id_fkey,
  DROP CONSTRAINT access_tokens_oauth_application_id_fkey,
  DROP CONSTRAINT access_tokens_user_id_fkey;

-- Codes and refresh tokens are used up in place: with room on their page, no index needs to know.
ALTER TABLE oauth_artifacts SET (fillfactor = 60);
