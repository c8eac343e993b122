"""Monthly report for the bookkeeping: orders, turnover and cancellations of a month as a table.

Usage: python3 scripts/report_orders.py 2026-01
"""

import os
import sys

import psycopg

QUERY = """
    select status, currency, count(*), sum(total_cents)
      from orders
     where to_char(placed_at, 'YYYY-MM') = %s
     group by status, currency
     order by status, currency
"""


def monthly_report(month: str) -> list[tuple[str, str, int, int]]:
    """One row for each status and currency; amounts are whole cents. Refunds are not subtracted."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        return connection.execute(QUERY, (month,)).fetchall()


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    for status, currency, count, cents in monthly_report(sys.argv[1]):
        print(f"{status:<10} {currency} {count:>6} {cents / 100:>12.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
