-- first page
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.name, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.name asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.name, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.name desc, t.id desc LIMIT 21

-- sort=hardware_id:asc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (coalesce(t.hardware_id, ''), t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.hardware_id, '') asc, t.id asc LIMIT 21

-- sort=hardware_id:desc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (coalesce(t.hardware_id, ''), t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.hardware_id, '') desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- site_id
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.site_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- hardware_id
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.hardware_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- product_id
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.product_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- gateway_device_id
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.gateway_device_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_suspended
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.is_suspended = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- tag_ids
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.tag_ids @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- status.online
SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.status->>'online') = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_battery_low
SELECT … FROM devices t WHERE t.organization_id = $1 AND coalesce((t.status->>'battery_present') = 'true' AND (t.status->>'battery_percent')::numeric < 20, false) = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT … FROM devices t WHERE t.organization_id = $1 AND t.search_text LIKE $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM devices t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
