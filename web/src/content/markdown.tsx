import { ExternalLink, Image } from 'lucide-react';
import { Component, isValidElement, memo, use } from 'react';
import type { ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import type { Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CopyButton } from '../design/copy.tsx';
import { visiblePart } from '../format/visible-text.ts';
import { ColouredCode } from './coloured-code.tsx';
import { MentionNames } from './mention-names.ts';

const inlineImage = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;
const plugins = [remarkGfm];

/** Links to the web and by mail, and images in the text itself. Any other address is dropped. */
function safeUrl(url: string, key: string): string | null {
  if (key === 'src' && inlineImage.test(url)) return url;
  return /^(?:https?:|mailto:)/i.test(url) ? url : null;
}

const title = ({ children }: { children?: ReactNode }) => <p className="md-title">{children}</p>;

/** Nothing is loaded from elsewhere: an image is a link. Headings are not part of the page's outline. */
const components: Components = {
  h1: title,
  h2: title,
  h3: title,
  h4: title,
  h5: title,
  h6: title,
  a: ({ href, children }) => (href === undefined ? <span>{children}</span> : <Address href={href}>{children}</Address>),
  img: ({ src, alt }) => {
    if (typeof src !== 'string') return <span>{alt}</span>;
    if (inlineImage.test(src)) return <img src={src} alt={alt ?? ''} className="max-h-80 max-w-full" />;
    return (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow" title={src.slice(0, 1000)}>
        <Image className="mr-1 inline size-3.5" aria-hidden />
        {alt === undefined || alt === '' ? 'Image' : alt}
        <ExternalLink className="ml-1 inline size-3" aria-hidden />
      </a>
    );
  },
  input: ({ checked }) => <span>{checked === true ? '☑' : '☐'}</span>,
  table: ({ children }) => (
    <div className="scroll-thin overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    <div className="group/code relative">
      <pre className="scroll-thin" tabIndex={0}>
        {children}
      </pre>
      <CopyCode>{children}</CopyCode>
    </div>
  ),
  code: ({ className, children }) => {
    const language = /language-(\S+)/.exec(className ?? '')?.[1] ?? '';
    const isBlock = typeof children === 'string' && (language !== '' || children.includes('\n'));
    return <code>{isBlock ? <ColouredCode code={children} language={language} /> : children}</code>;
  },
};

/** A link, or the name of who is mentioned by an address: its `@` stands before it. */
function Address({ href, children }: { href: string; children: ReactNode }): ReactNode {
  const names = use(MentionNames);
  const email = /^mailto:(.+)$/i.exec(href)?.[1] ?? '';
  const name = names.get(email.toLowerCase());
  if (name !== undefined)
    return (
      <span className="font-medium text-accent" title={email}>
        <bdi>{visiblePart(name)}</bdi>
      </span>
    );
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href.slice(0, 1000)}>
      {children}
    </a>
  );
}

/** Copies the text of a code block. */
function CopyCode({ children }: { children: ReactNode }): ReactNode {
  const text = isValidElement<{ children?: unknown }>(children) ? children.props.children : null;
  if (typeof text !== 'string') return null;
  return (
    <div className="absolute top-0 right-0 opacity-0 group-focus-within/code:opacity-100 group-hover/code:opacity-100">
      <CopyButton label="Copy code" text={text} />
    </div>
  );
}

/** Markdown without HTML: tags are shown as text. */
const Markdown = memo(function Markdown({ text }: { text: string }): ReactNode {
  return (
    <Fallback text={text}>
      <div dir="auto" className="md break-words [unicode-bidi:isolate]">
        <ReactMarkdown remarkPlugins={plugins} urlTransform={safeUrl} components={components}>
          {visiblePart(text)}
        </ReactMarkdown>
      </div>
    </Fallback>
  );
});
export default Markdown;

/** Shows the plain text of what the parser cannot parse. */
class Fallback extends Component<{ text: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { text, children } = this.props;
    return this.state.failed ? <div className="whitespace-pre-wrap">{visiblePart(text)}</div> : children;
  }
}
