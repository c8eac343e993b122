create table customers (
  id           text primary key,
  name         text not null,
  email        text not null unique,
  locale       text not null default 'en' check (locale in ('en', 'de', 'ja')),
  organization text,
  created_at   timestamptz not null default now()
);

alter table orders add foreign key (customer_id) references customers (id);
