-- first page
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.name, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.name asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.name, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.name desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- site_id
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.site_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- device_id
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.device_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- tag_ids
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.tag_ids @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_online
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND EXISTS (SELECT 1 FROM devices c WHERE c.organization_id = $2 AND c.id = t.device_id AND (c.status->>'online') = 'true') = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_open
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND coalesce(t.state_id = (t.door->>'open_state_id'), false) = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT … FROM gadgets t WHERE t.organization_id = $1 AND t.search_text LIKE $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
