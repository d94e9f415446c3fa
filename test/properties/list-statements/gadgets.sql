-- first page
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.name, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.name asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.name, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.name desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- site_id
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.site_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- device_id
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.device_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- tag_ids
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.tag_ids @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND t.search_text LIKE $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT t.id, t.organization_id, t.site_id, t.device_id, t.name, t.actions, t.states, t.signals, t.state_id, t.last_action_at, t.tag_ids, t.is_deleted, t.created_at, t.metadata FROM gadgets t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
