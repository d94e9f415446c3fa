-- first page
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND (t.id, t.id) > ($3::text, $4) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND (t.id, t.id) < ($3::text, $4) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND (t.created_at, t.id) > ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.organization_id = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- member_id
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.member_id = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.created_at > $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.created_at >= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.created_at < $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.created_at <= $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND t.metadata @> $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM member_pins t WHERE t.organization_id = $1 AND t.member_id = $2 AND (t.created_at, t.id) < ($3::timestamp with time zone, $4) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
