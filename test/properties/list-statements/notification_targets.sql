-- first page
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.name, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.name asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.name, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.name desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- kind
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.kind = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_verified
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.is_verified = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND t.search_text LIKE $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM notification_targets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
