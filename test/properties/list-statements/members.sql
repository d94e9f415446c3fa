-- first page
SELECT … FROM members t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.name, ''), t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.name, '') asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.name, ''), t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.name, '') desc, t.id desc LIMIT 21

-- sort=starts_at:asc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.starts_at, '-infinity'), t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY coalesce(t.starts_at, '-infinity') asc, t.id asc LIMIT 21

-- sort=starts_at:desc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.starts_at, '-infinity'), t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY coalesce(t.starts_at, '-infinity') desc, t.id desc LIMIT 21

-- sort=ends_at:asc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.ends_at, '-infinity'), t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY coalesce(t.ends_at, '-infinity') asc, t.id asc LIMIT 21

-- sort=ends_at:desc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.ends_at, '-infinity'), t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY coalesce(t.ends_at, '-infinity') desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=metadata.source:asc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.metadata->>'source', ''), t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.metadata->>'source', '') asc, t.id asc LIMIT 21

-- sort=metadata.source:desc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.metadata->>'source', ''), t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.metadata->>'source', '') desc, t.id desc LIMIT 21

-- sort=metadata.sourceID:asc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.metadata->>'sourceID', ''), t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.metadata->>'sourceID', '') asc, t.id asc LIMIT 21

-- sort=metadata.sourceID:desc, next page
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.metadata->>'sourceID', ''), t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.metadata->>'sourceID', '') desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM members t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- external_id
SELECT … FROM members t WHERE t.organization_id = $1 AND t.external_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_at:gt
SELECT … FROM members t WHERE t.organization_id = $1 AND coalesce(t.starts_at, '-infinity') > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_at:ge
SELECT … FROM members t WHERE t.organization_id = $1 AND coalesce(t.starts_at, '-infinity') >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_at:lt
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.starts_at, '-infinity') < $2 AND t.starts_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_at:le
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.starts_at, '-infinity') <= $2 AND t.starts_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:gt
SELECT … FROM members t WHERE t.organization_id = $1 AND coalesce(t.ends_at, '-infinity') > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:ge
SELECT … FROM members t WHERE t.organization_id = $1 AND coalesce(t.ends_at, '-infinity') >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:lt
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.ends_at, '-infinity') < $2 AND t.ends_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:le
SELECT … FROM members t WHERE t.organization_id = $1 AND (coalesce(t.ends_at, '-infinity') <= $2 AND t.ends_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_suspended
SELECT … FROM members t WHERE t.organization_id = $1 AND t.is_suspended = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- language
SELECT … FROM members t WHERE t.organization_id = $1 AND t.language = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- tag_ids
SELECT … FROM members t WHERE t.organization_id = $1 AND t.tag_ids @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM members t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM members t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM members t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM members t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- email
SELECT … FROM members t WHERE t.organization_id = $1 AND t.id IN (SELECT c.member_id FROM member_emails c WHERE c.organization_id = $2 AND c.email_key = $3 AND NOT c.is_deleted) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- member_group_id
SELECT … FROM members t WHERE t.organization_id = $1 AND t.id IN (SELECT c.member_id FROM member_group_associations c WHERE c.organization_id = $2 AND c.member_group_id = $3 AND NOT c.is_deleted) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- site_id
SELECT … FROM members t WHERE t.organization_id = $1 AND t.id IN (SELECT c.member_id FROM member_group_associations c WHERE c.organization_id = $2 AND c.member_group_id = ANY($3::text[]) AND NOT c.is_deleted) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM members t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT … FROM members t WHERE t.organization_id = $1 AND t.search_text LIKE $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM members t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM members t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
