-- first page
SELECT … FROM products t ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=id:asc, next page
SELECT … FROM products t WHERE (t.id, t.id) > ($1::text, $2) ORDER BY t.id asc, t.id asc LIMIT 21

-- sort=id:desc, next page
SELECT … FROM products t WHERE (t.id, t.id) < ($1::text, $2) ORDER BY t.id desc, t.id desc LIMIT 21

-- sort=name:asc, next page
SELECT … FROM products t WHERE (t.name, t.id) > ($1::text, $2) ORDER BY t.name asc, t.id asc LIMIT 21

-- sort=name:desc, next page
SELECT … FROM products t WHERE (t.name, t.id) < ($1::text, $2) ORDER BY t.name desc, t.id desc LIMIT 21

-- q
SELECT … FROM products t WHERE t.search_text LIKE $1 ORDER BY t.id desc, t.id desc LIMIT 21
