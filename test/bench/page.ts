/** A page of fifty list items as objects, about as large as real ones. */
export function pageOfFifty() {
  const items = Array.from({ length: 50 }, (_, index) => ({
    id: `eml_${String(index).padStart(22, '0')}`,
    mailboxId: 'mbx_0000000000000000000001',
    folderId: 'fld_0000000000000000000001',
    threadId: `thr_${String(index).padStart(22, '0')}`,
    messageId: `<${index}.8f3a9c@mail.example.com>`,
    inReplyTo: null,
    references: [],
    from: { email: `sender${index}@example.com`, name: `Sender Number ${index}` },
    to: [{ email: 'support@acme.example', name: 'Support' }],
    cc: [{ email: 'team@acme.example', name: null }],
    subject: `Invoice ${1000 + index} for the month of May, second reminder`,
    snippet: 'Dear all, please find attached the invoice for the services of last month. '.repeat(2).trim(),
    date: new Date(Date.UTC(2026, 4, 1, 0, index)).toISOString(),
    isRead: index % 3 === 0,
    isStarred: index % 10 === 0,
    isDraft: false,
    hasAttachments: true,
    attachments: [{ filename: `invoice-${1000 + index}.pdf`, size: 48_211, mimeType: 'application/pdf' }],
    tags: [{ id: 'lbl_0000000000000000000001', name: 'Invoices', color: 'Blue', isAiLabel: false }],
    waitingForReply: false,
  }));
  return { items, nextCursor: 'b3BhcXVlLWN1cnNvci1mb3ItdGhlLW5leHQtcGFnZQ', hasMore: true };
}
