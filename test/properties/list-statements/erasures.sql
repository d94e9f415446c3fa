-- first page
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=scheduled_at:asc, next page
SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.scheduled_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.scheduled_at asc, t.id asc LIMIT 21

-- sort=scheduled_at:desc, next page
SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.scheduled_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.scheduled_at desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- member_id
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- state
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.state = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- scheduled_at:gt
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.scheduled_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- scheduled_at:ge
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.scheduled_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- scheduled_at:lt
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.scheduled_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- scheduled_at:le
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.scheduled_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- events
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.events = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- reason
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.reason = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- reference
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.reference = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM erasures t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM erasures t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
