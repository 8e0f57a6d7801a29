/** A form whose page asks the server itself: the browser sends nothing. */

import type { ComponentChildren, FormHTMLAttributes } from "preact";

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> & {
  onSend: () => void;
  children: ComponentChildren;
};

export function Form({ onSend, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={event => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
    </form>
  );
}
