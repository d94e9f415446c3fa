-- first page
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- site_id
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.site_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- source_type
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.source_type = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- source_gadget_id
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.source_gadget_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- source_schedule_id
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.source_schedule_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- source_schedule_event
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.source_schedule_event = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- source_alarm_type
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.source_alarm_type = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- source_alarm_event
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.source_alarm_event = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- target_gadget_id
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.target_gadget_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM gadget_triggers t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
