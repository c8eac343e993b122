/** Small repositories and items that exist nowhere else, so that nothing can be known about them beforehand. */

/** A Python library desk: loans of books, with roles. */
export const LIBRARY: Record<string, string> = {
  'README.md': '# Library desk\n\nLends books to members.\n\nRun the tests with `pytest`.\n',
  'pyproject.toml': '[project]\nname = "library"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
  'library/models.py':
    '"""Tables of the library."""\n\n\nclass Loan:\n    """A book lent to a member until its due date."""\n\n    def __init__(self, book_id, member_id, due):\n        self.book_id = book_id\n        self.member_id = member_id\n        self.due = due\n        self.renewals = 0\n',
  'library/loans.py':
    '"""Rules of lending."""\n\nMAX_RENEWALS = 2\nLOAN_DAYS = 21\n\n\ndef renew_loan(loan, today):\n    """Extends the due date of a loan by the loan period."""\n    if loan.renewals >= MAX_RENEWALS:\n        raise ValueError("no renewals left")\n    loan.renewals += 1\n    loan.due = add_days(loan.due, LOAN_DAYS)\n    return loan\n\n\ndef overdue_loans(loans, today):\n    """Loans whose due date has passed."""\n    return [loan for loan in loans if loan.due < today]\n',
  'library/views.py':
    'from flask import Blueprint, request\n\nfrom .auth import require_role\nfrom .loans import renew_loan\n\nbp = Blueprint("loans", __name__)\n\n\n@bp.route("/loans/<int:loan_id>/renew", methods=["POST"])\ndef renew(loan_id):\n    """Renews a loan for the signed-in member."""\n    return renew_loan(find(loan_id), today())\n\n\n@bp.route("/loans/overdue")\ndef overdue():\n    require_role("librarian")\n    return render(overdue_loans(all_loans(), today()))\n',
  'library/auth.py':
    'ROLES = ["member", "librarian", "admin"]  # roles, weakest first\n\n\ndef require_role(role):\n    """Refuses the request unless the session has the role."""\n    if session["role"] != role:\n        abort(403)\n',
  'library/mail.py':
    'def send_mail(to, subject, body):\n    """Sends a plain text e-mail."""\n    smtp.send(to, subject, body)\n',
  'tests/test_loans.py':
    'from library.loans import renew_loan\n\n\ndef test_renewal_extends_the_due_date():\n    assert renew_loan(loan(), today()).renewals == 1\n',
  'docs/loans.md': '# Loans\n\nA loan lasts 21 days and can be renewed twice.\n',
};

export const CLEAR = {
  title: 'Remind members before a loan is due',
  description: [
    '## What',
    '',
    '- `overdue_loans` in `library/loans.py` must get a sibling `due_soon` that returns loans due within 3 days.',
    '- Each morning the signed-in-free job must send one e-mail a loan with `send_mail` from `library/mail.py` to the member.',
    '- A loan must be reminded of at most once.',
    '- `docs/loans.md` must describe the reminder.',
    '',
    '## Acceptance criteria',
    '',
    '- [ ] A loan due in 2 days is reminded of; one due in 4 days is not.',
    '- [ ] Running the job twice on one day sends one e-mail.',
    '',
    '## Out of scope',
    '',
    '- Reminders by SMS.',
  ].join('\n'),
};

/** Two loan periods, an open point with roles, nothing said about who may export. */
export const AMBIGUOUS = {
  title: 'Longer loans for course books',
  description: [
    '- A loan of a course book must last 28 days.',
    '- The due date shown to the reader must follow the loan.',
    '- The page of a course book must say that its loan lasts 42 days.',
    '- Renewing a course book must be refused when another reader waits for it.',
    '',
    'Not decided yet: who may mark a book as a course book, and should a waiting reader be told by e-mail or on the page?',
  ].join('\n'),
};

export const THIN = { title: 'Improve the loans', description: 'Loans are annoying, please make it better.' };

export const JAPANESE = {
  title: '延滞した貸出の一覧をダウンロードできるようにする',
  description: [
    '## 背景',
    '現在、延滞の一覧は画面でしか見られない。',
    '',
    '## 要件',
    '・司書（`librarian`）は `overdue_loans` の結果を CSV でダウンロードできること。',
    '・CSV には書名、会員番号、返却期限を含めること。',
    '・1 回に出力できるのは 500 件までとすること。',
    '',
    '## 受け入れ条件',
    '・501 件の場合は 500 件だけ出力される。',
    '',
    '## 対象外',
    '・Excel 形式での出力。',
    '',
    'ファイル名に日付を入れるかどうかは未定です。',
  ].join('\n'),
};

export function large(count: number): { title: string; description: string } {
  const parts = ['renewal', 'reminder', 'reservation', 'fine'];
  const lines = parts.flatMap((part) => [
    `## ${part[0]?.toUpperCase()}${part.slice(1)}s`,
    '',
    ...Array.from(
      { length: count },
      (_, i) =>
        `- The ${part} number ${i + 1} must keep its ${['due date', 'member', 'book', 'amount', 'note'][i % 5]} for ${i + 2} ${part} steps.`,
    ),
    '',
  ]);
  return { title: 'Rework loans', description: lines.join('\n') };
}
