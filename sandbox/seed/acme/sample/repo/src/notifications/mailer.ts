import nodemailer from 'nodemailer';
import type { Config } from '../config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Puts the mail into the queue in memory and returns at once. */
  enqueue(mail: Mail): void;
}

const RETRIES = 3;

export function createMailer({ smtpUrl, mailFrom }: Config): Mailer {
  const transport = nodemailer.createTransport(smtpUrl);
  const queue: { mail: Mail; triesLeft: number }[] = [];
  let sending = false;

  async function drain(): Promise<void> {
    if (sending) return;
    sending = true;
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        await transport.sendMail({ from: mailFrom, ...next.mail });
      } catch {
        // What fails three times is lost; nothing is written down.
        if (next.triesLeft > 1) queue.push({ mail: next.mail, triesLeft: next.triesLeft - 1 });
      }
    }
    sending = false;
  }

  return {
    enqueue(mail) {
      queue.push({ mail, triesLeft: RETRIES });
      void drain();
    },
  };
}
