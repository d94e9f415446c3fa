-- first page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.name, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.name asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.name, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.name desc, t.id desc LIMIT 21

-- sort=started_at:asc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.started_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.started_at asc, t.id asc LIMIT 21

-- sort=started_at:desc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.started_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.started_at desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- emergency_plan_id
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.emergency_plan_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- type
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.type = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:gt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.started_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:ge
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.started_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:lt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.started_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- started_at:le
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.started_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:gt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND coalesce(t.ends_at, '-infinity') > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:ge
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND coalesce(t.ends_at, '-infinity') >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:lt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (coalesce(t.ends_at, '-infinity') < $2 AND t.ends_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ends_at:le
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (coalesce(t.ends_at, '-infinity') <= $2 AND t.ends_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:gt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND coalesce(t.ended_at, '-infinity') > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:ge
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND coalesce(t.ended_at, '-infinity') >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:lt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (coalesce(t.ended_at, '-infinity') < $2 AND t.ended_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- ended_at:le
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (coalesce(t.ended_at, '-infinity') <= $2 AND t.ended_at IS NOT NULL) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_active
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.is_active = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT … FROM emergencies t WHERE t.organization_id = $1 AND t.search_text LIKE $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM emergencies t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
