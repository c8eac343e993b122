create table shipments (
  order_id      text primary key references orders (id),
  carrier       text not null,
  parcel_number text not null,
  delivered     boolean not null default false,
  events        jsonb not null default '[]'
);

create index shipments_under_way on shipments (order_id) where not delivered;
