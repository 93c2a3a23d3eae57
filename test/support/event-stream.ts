/** One event as a client of server-sent events reads it. */
interface StreamedEvent {
  id: string;
  event: string;
  data: { seq: number; id: string; event: string; createdAt: string; data: Record<string, unknown> };
}

interface EventStreamReader {
  status: number;
  headers: Headers;
  /** Everything so far, comments too. */
  text(): string;
  events(): StreamedEvent[];
  /** Resolves when there are so many events. */
  until(count: number): Promise<StreamedEvent[]>;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  close(): void;
}

/** Opens a stream as a client would; one that is refused has the refusal as its text. */
export async function openEventStream(url: string, headers: Record<string, string>): Promise<EventStreamReader> {
  const closing = new AbortController();
  const response = await fetch(url, { headers, signal: closing.signal });
  let text = '';
  const events: StreamedEvent[] = [];
  let onText = () => {};
  const read = async () => {
    let unread = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const blocks = (unread + piece).split('\n\n');
      unread = blocks.pop() ?? '';
      events.push(...blocks.flatMap(toEvents));
      onText();
    }
  };
  const ended = read()
    .catch((error: unknown) => {
      if (!closing.signal.aborted) throw error;
    })
    .finally(() => onText());
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events: () => [...events],
    until: (count) =>
      new Promise((resolve) => {
        onText = () => events.length >= count && resolve([...events]);
        onText();
      }),
    ended,
    close: () => closing.abort(),
  };
}

function toEvents(block: string): StreamedEvent[] {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
  const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
  if (!id || !event || !data) return [];
  return [{ id, event, data: JSON.parse(data) as StreamedEvent['data'] }];
}
