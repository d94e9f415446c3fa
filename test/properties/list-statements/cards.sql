-- first page
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (t.id, t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (t.id, t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (coalesce(t.name, ''), t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.name, '') asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (coalesce(t.name, ''), t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.name, '') desc, t.id desc LIMIT 21

-- sort=uid:asc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (coalesce(t.uid, ''), t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.uid, '') asc, t.id asc LIMIT 21

-- sort=uid:desc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (coalesce(t.uid, ''), t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.uid, '') desc, t.id desc LIMIT 21

-- sort=printed_code:asc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (coalesce(t.printed_code, ''), t.id) > ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.printed_code, '') asc, t.id asc LIMIT 21

-- sort=printed_code:desc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (coalesce(t.printed_code, ''), t.id) < ($2::text, $3) AND t.is_deleted = false ORDER BY coalesce(t.printed_code, '') desc, t.id desc LIMIT 21

-- sort=created_at:asc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at asc, t.id asc LIMIT 21

-- sort=created_at:desc, next page
SELECT … FROM cards t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- organization_id
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.organization_id = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- uid
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.uid = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- printed_code
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.printed_code = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_lost
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.is_lost = $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:gt
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.created_at > $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:ge
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.created_at >= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:lt
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.created_at < $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- created_at:le
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.created_at <= $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- member_group_id
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.id IN (SELECT h.card_id FROM member_cards h WHERE h.organization_id = $4 AND h.is_claimed AND NOT h.is_deleted AND h.member_id IN (SELECT c.member_id FROM member_group_associations c WHERE c.organization_id = $2 AND c.member_group_id = $3 AND NOT c.is_deleted)) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- site_id
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.id IN (SELECT h.card_id FROM member_cards h WHERE h.organization_id = $4 AND h.is_claimed AND NOT h.is_deleted AND h.member_id IN (SELECT c.member_id FROM member_group_associations c WHERE c.organization_id = $2 AND c.member_group_id = ANY($3::text[]) AND NOT c.is_deleted)) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- tag_id
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.id IN (SELECT h.card_id FROM member_cards h WHERE h.organization_id = $4 AND h.is_claimed AND NOT h.is_deleted AND h.member_id IN (SELECT c.id FROM members c WHERE c.organization_id = $2 AND c.tag_ids @> ARRAY[$3])) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_given
SELECT … FROM cards t WHERE t.organization_id = $1 AND EXISTS (SELECT 1 FROM member_cards c WHERE c.organization_id = $2 AND c.card_id = t.id AND c.is_claimed) = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_suspended
SELECT … FROM cards t WHERE t.organization_id = $1 AND EXISTS (SELECT 1 FROM member_cards c WHERE c.organization_id = $2 AND c.card_id = t.id AND c.is_claimed AND c.is_suspended) = $3 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- metadata.source
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.metadata @> $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- q
SELECT … FROM cards t WHERE t.organization_id = $1 AND t.search_text LIKE $2 AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21

-- is_deleted, next page
SELECT * FROM ((SELECT … FROM cards t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = false ORDER BY t.created_at desc, t.id desc LIMIT 21) UNION ALL (SELECT … FROM cards t WHERE t.organization_id = $1 AND (t.created_at, t.id) < ($2::timestamp with time zone, $3) AND t.is_deleted = true ORDER BY t.created_at desc, t.id desc LIMIT 21)) t ORDER BY t.created_at desc, t.id desc LIMIT 21
