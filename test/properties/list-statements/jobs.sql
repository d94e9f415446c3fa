-- first page
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.id, t.id) > ($3::text, $4) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.id, t.id) < ($3::text, $4) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.created_at, t.id) > ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.organization_id = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- type
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.type = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- state
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.state = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_dry_run
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.is_dry_run = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- parent_job_id
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.parent_job_id = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- undo_of_job_id
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.undo_of_job_id = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:gt
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND coalesce(t.started_at, '-infinity') > $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:ge
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND coalesce(t.started_at, '-infinity') >= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:lt
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (coalesce(t.started_at, '-infinity') < $3 AND t.started_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:le
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (coalesce(t.started_at, '-infinity') <= $3 AND t.started_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:gt
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND coalesce(t.ended_at, '-infinity') > $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:ge
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND coalesce(t.ended_at, '-infinity') >= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:lt
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (coalesce(t.ended_at, '-infinity') < $3 AND t.ended_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:le
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (coalesce(t.ended_at, '-infinity') <= $3 AND t.ended_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.created_at > $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.created_at >= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.created_at < $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.created_at <= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_by.user_id
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.created_by->>'user_id') = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_by.oauth_application_id
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.created_by->>'oauth_application_id') = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND t.metadata @> $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM jobs t WHERE t.organization_id = $1 AND ($2::text IS NULL OR (t.created_by->>'oauth_application_id') = $2::text) AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
