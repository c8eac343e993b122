/** What the service counts, and its text for a scraper. */
export interface Metrics {
  /** Media type of `text()`. */
  readonly contentType: string;
  text(): Promise<string>;
  /** A request was answered; `route` is the pattern, never the path. */
  request(answered: { method: string; route: string; status: number; seconds: number }): void;
}
