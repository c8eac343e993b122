create table orders (
  id               text primary key,
  number           text not null unique,
  customer_id      text not null,
  status           text not null default 'placed'
                   check (status in ('placed', 'paid', 'shipped', 'delivered', 'canceled')),
  lines            jsonb not null,
  total_cents      bigint not null check (total_cents >= 0),
  currency         text not null default 'EUR',
  shipping_address jsonb not null,
  payment_id       text,
  placed_at        timestamptz not null default now(),
  canceled_at      timestamptz,
  cancel_reason    text
);

create index orders_by_customer on orders (customer_id, id);
create index orders_by_day on orders (placed_at);
