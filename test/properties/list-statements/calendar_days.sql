-- first page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.id, t.id) > ($3::text, $4) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.id, t.id) < ($3::text, $4) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (coalesce(t.name, ''), t.id) > ($3::text, $4) AND t.is_deleted = false ORDER BY coalesce(t.name, '') asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (coalesce(t.name, ''), t.id) < ($3::text, $4) AND t.is_deleted = false ORDER BY coalesce(t.name, '') desc, t.id desc LIMIT 21

-- sort=starts_on:asc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.starts_on, t.id) > ($3::text, $4) AND t.is_deleted = false ORDER BY t.starts_on asc, t.id asc LIMIT 21

-- sort=starts_on:desc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.starts_on, t.id) < ($3::text, $4) AND t.is_deleted = false ORDER BY t.starts_on desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.created_at, t.id) > ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.organization_id = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- calendar_id
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.calendar_id = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- kind
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.kind = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_on:gt
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.starts_on > $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_on:ge
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.starts_on >= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_on:lt
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.starts_on < $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- starts_on:le
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.starts_on <= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_on:gt
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND coalesce(t.ends_on, '') > $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_on:ge
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND coalesce(t.ends_on, '') >= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_on:lt
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (coalesce(t.ends_on, '') < $3 AND t.ends_on IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_on:le
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (coalesce(t.ends_on, '') <= $3 AND t.ends_on IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- recurrence
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.recurrence = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.created_at > $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.created_at >= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.created_at < $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.created_at <= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.metadata @> $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND t.search_text LIKE $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM calendar_days t WHERE t.organization_id = $1 AND t.calendar_id = $2 AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
